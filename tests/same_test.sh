#!/bin/sh
# The files in tests/same are the same in all their steps.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
copy_project

# shellcheck disable=SC2317 # expect calls it
same() {
  sed '/^#/d' tests/same | while read -r file first others; do
    for step in $others; do
      cmp "$(echo "step0${first}"_*)/$file" "$(echo "step0$step"_*)/$file" 2>&1
    done
  done
}
expect 0 same
prints_nothing

# The CMakeLists.txt of steps 1 to 7 differ only in their lists.
lists() { sed '/^project(/d; /^set(step /d; /^set(programs /d; /^set(helpers/d' "$1"; }
lists step01_generators/CMakeLists.txt >"$scratch/lists"
for step in step0[2-7]*; do
  lists "$step/CMakeLists.txt" | cmp -s "$scratch/lists" - || complain "$step/CMakeLists.txt differs in more than its lists"
done

# The check finds a difference of one byte.
echo >>step05_nonblocking_io/wait.hpp
expect 0 same
prints "step06_stacked/wait.hpp"
finish
