#!/bin/sh
# The unit tests of the tools that make the site. Exit status 77, which CTest calls skipped, where Python's
# libraries are not installed.
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
