#!/bin/sh
# tools/chapters: notices when a source, an output or a carried header has changed under a chapter.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
copy_project

expect 0 tools/chapters --check
prints_nothing

# changes FILE SED-SCRIPT WHAT-THE-CHECK-SAYS
changes() {
  cp "$1" "$scratch/kept"
  sed "$2" "$scratch/kept" >"$1"
  expect 1 tools/chapters --check
  prints "$3"
  cp "$scratch/kept" "$1"
}

changes step03_scheduler/expected/two_tasks.txt '1s/1/7/' \
  "step03_scheduler/README.md: its generated parts are not up to date"
changes step04_syscalls/parent_child.cpp 's/== 3/== 4/' "if (i_ == 4)"
changes tools/steps 's/Many tasks/Turns/' "README.md: its generated parts"

# breaks CHAPTER MARK: a mark that names nothing, or something that is there twice, is an error.
breaks() {
  cp "$1" "$scratch/kept"
  printf '%s\n<!-- end -->\n' "$2" >>"$1"
  expect 2 tools/chapters --check
  complains_in_one_line
  cp "$scratch/kept" "$1"
}

breaks step03_scheduler/README.md '<!-- code task.hpp: class Tsk -->'
breaks step03_scheduler/README.md '<!-- code two_tasks.cpp: class Task -->'
breaks step03_scheduler/README.md '<!-- code nosuch.hpp: class Task -->'
breaks step03_scheduler/README.md '<!-- output nosuch -->'
breaks step03_scheduler/README.md '<!-- output two_tasks 16 -->'

# The names of tests that a chapter cites.
sed -i 's/"tasks take turns in the order/"tasks take turns in no order/' step09_reactor/tests/spawn_test.cpp
expect 2 tools/chapters --check
complains_in_one_line
sed -i 's/"tasks take turns in no order/"tasks take turns in the order/' step09_reactor/tests/spawn_test.cpp

# The labels that comments cite.
sed -i 's/TrueAsync: microtask,/TrueAsync: micro task,/' step09_reactor/coop/microtask.hpp
expect 2 tools/chapters --check
complains 'there is no row for "TrueAsync: micro task"'
complains_in_one_line
sed -i 's/TrueAsync: micro task,/TrueAsync: microtask,/' step09_reactor/coop/microtask.hpp

expect 2 tools/chapters --chek

# Writing repairs what was touched, and only that.
cp -R "$root"/step01_generators/README.md "$scratch/kept"
sed 's/start_(start)/broken(start)/' "$scratch/kept" >step01_generators/README.md
expect 0 tools/chapters
prints "step01_generators/README.md: written"
cmp -s step01_generators/README.md "$scratch/kept" || complain "the chapter was not repaired"
finish
