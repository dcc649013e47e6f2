#!/bin/sh
# tools/exercise/where_it_differs names the first turn that differs, and never one between two right solutions.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
has_gdb || skip_all "where yours leaves ours, because gdb is not installed, or can't run a program here"
copy_project
export DIFFERS_SECONDS=600 # on a loaded machine, too
. tools/learn/setup.sh
. tools/exercise/facts.sh
[ "$(has_need catch2 && echo yes)" = yes ] || skip_all "where yours leaves ours, because Catch2 is not installed"

# The header that takes longest is compiled once.
echo '#include <any_catch2.hpp>' >"$scratch/catch.hpp"
flags="-std=c++17 -O0 -g -w $(repeatable | xargs) -DCATCH2_MAJOR=$(catch2_major) -I step03_scheduler/tests"
# shellcheck disable=SC2086 # words of their own
"$(compiler)" $flags -x c++-header "$scratch/catch.hpp" -o "$scratch/catch.hpp.gch" || exit 1

# build_stage STAGE FOLDER: builds the tests of the stage with the headers of the folder.
build_stage() {
  test=$(folder_of "$1")/test.cpp
  { echo "#line 1 \"$test\"" && cat "$test"; } >"$2/test.cc"
  # shellcheck disable=SC2046,SC2086 # words of their own
  "$(compiler)" $flags -include "$scratch/catch.hpp" -x c++ "$2/test.cc" -I "$2" $(catch2_libraries) -o "$2/test"
}

# differs STAGE FOLDER TEST
differs() { tools/exercise/where_it_differs "ours/$1/test" "ours/$1" "$2/test" "$2" "\"$3\" --abort -o /dev/null"; }

# wrong NAME STAGE FILE CHANGE TEST SAID: with the change of our FILE, this is said about the test (without the table).
wrong() {
  yours=yours/$1
  mkdir -p "$yours"
  cp "ours/$2"/*.hpp "$yours"
  sed "$4" "ours/$2/$3" >"$yours/$3"
  ! cmp -s "ours/$2/$3" "$yours/$3" || echo "the change changes nothing" >"$yours/said"
  echo "$6" >"$yours/expected"
  { build_stage "$2" "$yours" && differs "$2" "$yours" "$5" >"$yours/all"; } >>"$yours/said" 2>&1
  sed "/ | /d; s|yours: $yours/\([^:]*\):[0-9]*:|\1:|" "$yours/all" | xargs -d '\n' | tr -s ' ' | sed 's/^ //' >>"$yours/said"
}
compare() {
  for each in yours/*; do
    what=${each#*/}
    [ "$(cat "$each/expected")" = "$(cat "$each/said")" ] ||
      { cp "$each/said" "$scratch/out" && cp "$each/expected" "$scratch/err" && complain "$what: something else is said"; }
    [ "$(awk 'length > 80 || NR > 17' "$each/all" | wc -l)" -eq 0 ] || complain "$what: too wide, or too long"
  done
}

for stage in m3:step03_scheduler m5:step04_syscalls m8:step06_stacked; do
  mkdir -p "ours/${stage%:*}"
  cp "${stage#*:}"/*.hpp "ours/${stage%:*}"
  build_stage "${stage%:*}" "ours/${stage%:*}" &
done
wait

wrong newest_first m3 scheduler.hpp 's/ready_.push_back(std::move(task));/ready_.push_front(std::move(task));/' \
  'tasks take turns in the order in which they were added' \
  'In turn 2 ours runs task 2, yours runs task 1 again. scheduler.hpp: if (task.run()) ready_.push_front(std::move(task)); This line puts task 1 at the front of the queue; ours puts task 1 at the end instead.' &
wrong first_yield_lost m3 task.hpp 's/if (started) return/if (true) return/' \
  'tasks take turns in the order in which they were added' \
  'In turn 2 ours runs task 2, yours runs task 1 again. task.hpp: if (true) return coroutine->send(Value{}); Here yours resumes it again, before any task is put back or taken out.' &
wait
wrong keeps_finished m3 scheduler.hpp 's/ *if (task.run()).*/& else kept_.push_back(task);/; s/std::deque<Task> ready_;/std::deque<Task> ready_, kept_;/' \
  'a finished task is destroyed before the next turn' \
  'After turn 1 ours destroys the body of task 1, yours does not yet. scheduler.hpp: if (task.run()) ready_.push_back(std::move(task)); else kept_.push_back... This is the last line of your own that ran before.' &
wrong polls m5 process.hpp 's/task->waiters.push_back(asker);/scheduler.schedule(asker);/' \
  'a waiting task gets no turn before the end of the other*' \
  'In turn 3 ours runs task 2, yours runs task 1. process.hpp: scheduler.schedule(asker); After this line yours puts task 1 at the end of the queue; ours takes task 2 from the front instead.' &
wrong killed_wakes_nobody m5 scheduler.hpp '/for (const TaskId waiter/d' \
  'a waiting task gets no turn before the end of the other*' \
  'Yours ends after turn 7, with an empty queue. In ours task 1 is next again. scheduler.hpp: return true; After turn 7 ours puts task 1 at the end of the queue. Yours does not.' &
wrong call_takes_turn m8 task.hpp '/call->callee/{n;s/$/ return Nothing{};/;}' \
  'a call runs the callee*' \
  'In resume 2 ours resumes callee 1 of task 1, yours resumes task 2. task.hpp: started_ = false; return Nothing{}; After this line yours puts task 1 at the end of the queue.' &
wait
wrong loop m3 scheduler.hpp 's/ *ready_.pop_front();/&\nfor (int i = 0; i < 9;) {\nif (i > 9)\n++i;\n}/' \
  'a body with three yields gets four turns' \
  'Before the first turn yours is in a loop. In ours task 1 is next. scheduler.hpp: for (int i = 0; i < 9;) { It runs lines 26 to 27 again and again.' &

# An endless loop in a body is named with its line.
mkdir -p body/ours body/yours
for folder in body/ours body/yours; do
  cp step03_scheduler/*.hpp step03_scheduler/two_tasks.cpp $folder
done
sed 's/ *state_ = State::yielded;/&\n      while (i_ > 0)\n        if (i_ > 9) --i_;/' step03_scheduler/two_tasks.cpp >body/yours/two_tasks.cpp
for folder in body/ours body/yours; do
  # shellcheck disable=SC2086 # words of their own
  "$(compiler)" $flags -I $folder $folder/two_tasks.cpp -o $folder/two_tasks &
done
wait # for the loop, too
tools/exercise/where_it_differs body/ours/two_tasks body/ours body/yours/two_tasks body/yours >body/said 2>&1 & # takes 8 seconds

# A right solution of another shape: in none of the tests does a turn differ. (A thousand tasks have too many turns.)
for stage in m3 m5; do
  mkdir -p "shape/$stage"
  cp your_scheduler/another_shape/*.hpp "shape/$stage"
  [ ! -f your_scheduler/another_shape/before_m10/process.hpp ] || cp your_scheduler/another_shape/before_m10/process.hpp "shape/$stage"
  {
    { build_stage $stage shape/$stage && differs $stage shape/$stage '~a thousand*'; } >"shape/$stage/said" 2>&1
    echo $? >"shape/$stage/status"
  } &
done
wait
compare
for stage in m3 m5; do
  what="another shape, $stage"
  cp "shape/$stage/said" "$scratch/out"
  [ "$(cat "shape/$stage/status")" = 1 ] || complain "$what: exit status $(cat "shape/$stage/status"), not 1"
  prints_nothing
done

expect 0 cat body/said
prints "    In yours, turn 1 of task 1 does not end."
line=$(sed -n '/while (i_ > 0)/=' body/yours/two_tasks.cpp | head -n 1)
prints "    yours: body/yours/two_tasks.cpp:$line: while (i_ > 0)" \
  "    It runs lines $line to $((line + 1)) again and again."

# A failed check fits on a screen. Where gdb is missing, or can't run a program, the check says so, and only once.
learn 0 "exercise 3a"
learn 1 "check 3a" "    Yours runs nothing. Ours runs task 1 first."
[ "$(wc -l <"$scratch/out")" -le 24 ] || complain "$what: more than 24 lines"
expect 1 env LC_ALL= LC_MESSAGES= LANG=zh_CN.UTF-8 ./learn check 3a
prints "    你的什么也没运行，我们的先运行任务 1。" "      回合 | 我们的                           | 你的" \
  "           |   产出           队列：2 1       |"
mkdir "$scratch/bin"
ln -s /usr/bin/* /bin/* "$scratch/bin" 2>/dev/null
rm -f "$scratch/bin/gdb"
expect 1 env PATH="$scratch/bin" ./learn check 3a
prints "With gdb, this also says in which turn yours leaves ours: " "next: ./learn hint 3a"
printf '#!/bin/sh\necho "ptrace: Operation not permitted." >&2\nexit 1\n' >"$scratch/bin/gdb"
chmod +x "$scratch/bin/gdb"
expect 1 env PATH="$scratch/bin" ./learn check 3a
prints "gdb can't follow a program here, so this can't say in which turn yours leaves ours."
expect 1 env PATH="$scratch/bin" ./learn check 3a
! grep -q "gdb can't follow" "$scratch/out" || complain "$what: not once"
finish
