#!/bin/sh
# tools/chapters reports that a source, an output or a citation of a chapter has changed, and writes it anew.
set -u
unset CDPATH
[ -x /usr/bin/python3 ] || { echo "skipped: tools/chapters needs python3" && exit 77; }
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
copy_project

expect 0 tools/chapters --check
prints_nothing

# changes STATUS FILE SED MESSAGE: after this change of a file, the check reports it.
changes() {
  cp "$2" "$scratch/kept"
  sed "$3" "$scratch/kept" >"$2"
  expect "$1" tools/chapters --check
  if [ "$1" -eq 1 ]; then prints "$4"; else complains "$4" && complains_in_one_line; fi
  cp "$scratch/kept" "$2"
}

changes 1 step03_scheduler/expected/two_tasks.txt '1s/1/7/' \
  "step03_scheduler/README.md: its generated parts are not up to date"
changes 1 step04_syscalls/parent_child.cpp 's/== 3/== 4/' "if (i_ == 4)"
changes 1 tools/steps 's/Many tasks/Turns/' "README.md: its generated parts"

# A mark without a target or with two of them is an error.
for mark in 'code task.hpp: class Tsk' 'code two_tasks.cpp: class Task' 'code nosuch.hpp: class Task' 'output nosuch' \
  'output two_tasks 16'; do
  changes 2 step03_scheduler/README.md "\$s/\$/\\n<!-- $mark -->\\n<!-- end -->/" ''
done
changes 2 step03_scheduler/README.md "\$s/\$/\\n<!-- output two_tasks -->/" 'a generated part has no end'

# So is a test that a chapter cites, or a label that a comment cites, if it doesn't exist.
changes 2 step09_reactor/tests/spawn_test.cpp 's/"tasks take turns in the order/"tasks take turns in no order/' ''
changes 2 step09_reactor/coop/microtask.hpp 's/TrueAsync: microtask,/TrueAsync: micro task,/' \
  'there is no row for "TrueAsync: micro task"'

expect 2 tools/chapters --chek

# It writes the chapter that has changed, and no other.
cp -R "$root"/step01_generators/README.md "$scratch/kept"
sed 's/start_(start)/broken(start)/' "$scratch/kept" >step01_generators/README.md
expect 0 tools/chapters
prints "step01_generators/README.md: written"
cmp -s step01_generators/README.md "$scratch/kept" || complain "the chapter was not repaired"
finish
