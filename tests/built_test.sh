#!/bin/sh
# Builds the site, for the tests that look at it, or at its recordings.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
. "$root/tools/learn/setup.sh"
cd "$root" || exit 2
missing=$(missing_docs_packages)
[ -z "$missing" ] || skip_all "the site, because packages are not installed: $missing"
expect 0 ./learn docs
finish
