#!/bin/sh
# Runs the unit tests of the tools that build the site. Exit status: 77 if Python's libraries are missing.
set -u
unset CDPATH
cd "$(dirname "$0")/.." || exit 2
. tools/setup.sh
missing=$(missing_packages jinja2 pygments markdown_it)
if [ -n "$missing" ]; then
  echo "skipped: the site needs $missing"
  exit 77
fi
exec /usr/bin/python3 -B -m unittest discover -s tools/book
