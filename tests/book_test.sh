#!/bin/sh
# Runs the unit tests of the tools that build the site. Exit status: 77 if a test was skipped, or all of them, because
# Python's libraries are missing.
set -u
unset CDPATH
cd "$(dirname "$0")/.." || exit 2
. tests/expect.sh
. tools/learn/setup.sh
missing=$(missing_site_packages)
[ -z "$missing" ] || skip_all "the tools of the site, because packages are not installed: $missing"
/usr/bin/python3 -B -m unittest discover -v -s tools/book >"$scratch/out" 2>&1 || failures=1
cat "$scratch/out"
left_out=$(sed -n "s/.* skipped '\(.*\)'$/\1/p" "$scratch/out")
[ -z "$left_out" ] || skip "$left_out"
finish
