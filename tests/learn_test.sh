#!/bin/sh
# ./learn: exit statuses, wrong words, and what it says of a program that prints something else.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
copy_project

expect 0 ./learn --help
prints "usage: ./learn"
is_plain

expect 0 ./learn list
prints "step03_scheduler"
prints "two_tasks, countdown"
is_plain

expect 0 ./learn doctor
prints "Ready"

expect 2 ./learn frobnicate
prints_nothing
complains_in_one_line
complains "no command 'frobnicate'"

for words in "run" "check" "diff 3" "run 0" "check 33" "test x" "run 3 nosuch" "check 3 nosuch"; do
  # shellcheck disable=SC2086 # words, not one word
  expect 2 ./learn $words
  complains_in_one_line
done

expect 0 ./learn diff 3 4
prints "+++ step04_syscalls/process.hpp"
prints "+using Yielded = std::variant<Nothing, SystemCall>;"
! grep -q '^+++.*generator.hpp' "$scratch/out" || complain "diff shows a header that did not change"

touch "$scratch/stamp"
expect 0 ./learn check 3
prints "two_tasks        ok     15 lines, identical"
prints "countdown        ok     32 lines, identical"
is_plain

expect 0 ./learn check 3 countdown
prints "countdown        ok"
! grep -q two_tasks "$scratch/out" || complain "it checked more than was asked"

expect 0 ./learn run 3
prints "This is task 1 iteration 10."
cmp -s "$scratch/out" step03_scheduler/expected/two_tasks.txt || complain "run 3: other output"

expect 0 find . -newer "$scratch/stamp" -type f ! -path './build/*'
prints_nothing # it writes nowhere else

expect 0 ./learn diff 4 5
prints "Only in step04_syscalls: mailbox.hpp"
expect 0 ./learn diff 8 9
prints "+++ step09_reactor/coop/scheduler.hpp"
! grep -q '^+++.*tests/' "$scratch/out" || complain "diff shows more than the library"

mkdir elsewhere && cd elsewhere || exit 2
expect 0 ../learn run 2 logger here
[ -s here ] || complain "the program did not run in the caller's folder"
expect 0 ../learn run 2 logger
[ -s log ] || complain "without a name, the logger does not write to the file log"
expect 2 ../learn run 5 web_server nonsense
complains "usage:"
complains_in_one_line
expect 2 ../learn run 5 client
complains "usage:"
cd ..

ln -s "$scratch/project/learn" "$scratch/link"
expect 0 "$scratch/link" list
CDPATH=.:/tmp expect 0 ./learn check 2

# A learner's own file beside the programs does not get in the way.
echo 'int main() {}' >step03_scheduler/mine.cpp
expect 0 ./learn check 3
rm step03_scheduler/mine.cpp

# A step that was not there when the others were built.
mv step09_reactor away
sed '/step09/d; /tests/d' CMakeLists.txt >without && cp CMakeLists.txt with && mv without CMakeLists.txt
expect 0 ./learn check 3
expect 0 ./learn list
prints "(to come)"
for words in "run 9" "check 9" "diff 3 9"; do
  # shellcheck disable=SC2086 # words, not one word
  expect 2 ./learn $words
  complains_in_one_line
done
mv away step09_reactor && cat with >CMakeLists.txt
expect 0 ./learn run 9 task_ids

# One character of a program's text is changed: which line, expected, found.
sed 's/"This is task 2 iteration "/"This is task 3 iteration "/' step03_scheduler/two_tasks.cpp \
  >changed && mv changed step03_scheduler/two_tasks.cpp
expect 1 ./learn check 3
prints "two_tasks        FAIL   first difference at line 2 of step03_scheduler/expected/two_tasks.txt"
prints ">      2 | This is task 2 iteration 1.            | This is task 3 iteration 1."
prints "countdown        ok"

rm -r step0[5-9]* && sed '/step0[5-9]/d; /tests/d' CMakeLists.txt >without && mv without CMakeLists.txt # to be quick
expect 1 ./learn
prints "  step03_scheduler       FAIL"
prints "  step04_syscalls        ok"
is_plain

# It does not compile any more: the compiler's words, and exit status 2.
echo 'nonsense' >>step03_scheduler/two_tasks.cpp
expect 2 ./learn check 3
complains "nonsense"
complains "build/learn.log"

# The folder was moved: what was built for another place is thrown away.
mv "$scratch/project" "$scratch/moved" && cd "$scratch/moved" || exit 2
expect 0 ./learn check 4
finish
