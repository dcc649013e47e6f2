#!/bin/sh
# usage_test.sh PROGRAM: what a program does with a command line that it was not made for.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"

for word in --nonsense -x; do
  expect 2 "$1" $word
  prints_nothing
  complains_in_one_line
  complains "usage: $(basename "$1")"
done
expect 0 "$1" --help
prints "usage: $(basename "$1")"

if [ "$(basename "$1")" = logger ]; then
  for file in /nowhere/at/all / /dev/full; do
    expect 1 "$1" "$file"
    complains_in_one_line
    complains "cannot write to $file: "
  done
  expect 2 "$1"
  expect 2 "$1" one two
  expect 0 "$1" "$scratch/log"
  expect 0 "$1" "$scratch/log"
  [ "$(cat "$scratch/log")" = "$(printf 'Foo\nBar\nFoo\nBar')" ] || complain "logger does not append"
fi
finish
