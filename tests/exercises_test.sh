#!/bin/sh
# A reader's commands on the stages of a scheduler of his own and on the exercises, one of each kind, with mistakes in the
# solution, and with a broken work/. The stages and exercises themselves are proved by tools/exercise/prove.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
copy_project
unset PROVED # which .ci/full sets

# answers WORD STATUS COMMAND NUMBER: WORD is the answer to the question of ./learn COMMAND NUMBER.
answers() {
  echo "$1" >"$scratch/answer"
  shift
  # shellcheck disable=SC2016 # the words are those of the inner shell
  expect "$1" sh -c '"$@" <"$0"' "$scratch/answer" ./learn "$2" "$3"
}
has() { [ -e "$1" ] || complain "$what: no $1"; }
is_narrow() { ! LC_ALL=C grep -q '.\{81\}' "$scratch/out" || complain "$what: wider than 80 columns"; }

# hints NAME: one at a time, and then all, with what may be done after them.
hints() {
  for n in 1 2 3; do
    expect 0 ./learn hint
    prints "Hint $n of 3"
    [ "$(grep -c '^Hint' "$scratch/out")" = 1 ] || complain "more than one hint at a time"
  done
  expect 0 ./learn hint "$1"
}

# Wrong words.
for words in "exercise" "exercise ../1a" "hint 9z" "check 1a" "check m15" "check m3" "hint ../m1" "take m99" "run mine" \
  "run mine nosuch" "reset m1" "solution m1" "next m1" "take m1 m2" "list mine m1"; do
  # shellcheck disable=SC2086 # words, not one word
  expect 2 ./learn $words
  prints_nothing
  complains_in_one_line
done
[ ! -e work ] || complain "wrong words begin something"

# What was begun in the edition before, when most exercises had other numbers.
mkdir -p work/3b work/9b
echo 3b >work/.current
for words in check "hint 3b"; do
  # shellcheck disable=SC2086 # words, not one word
  expect 2 ./learn $words
  complains "exercise 3b is 3a now; if you have begun it: mv work/3b work/3a"
done
echo '# 9b: A clean-up that waits' >work/9b/README.md
expect 2 ./learn check 9b
complains "exercise 9b is 9a now; if you have begun it: mv work/9b work/9a"
expect 2 ./learn exercise 3d
complains "there is no exercise '3d' any longer; m3 teaches the same: ./learn next"
rm -r work

# From the empty folder to the first stage that passes.
expect 0 ./learn list
prints "yours: m4, m5"
prints "exercises: 4a, 4b"
prints "next: ./learn next   m1: A function with a bookmark"
prints "[0 of 14, about "
is_plain
expect 0 ./learn next
prints "m1: A function with a bookmark"
prints "where:  work/mine/"
! grep -q 'Hint 1' "$scratch/out" || complain "the task contains the hints"
[ "$(ls work/mine)" = compile_flags.txt ] || complain "work/mine is not empty: $(ls work/mine)"
expect 1 ./learn check
prints "m1               FAIL   there is no work/mine/generator.hpp"
prints "next: ./learn hint m1"
hints m1
prints "./learn take m1"

# In a Chinese locale, a task is Chinese if it is translated. The link to the other language is for browsers.
m1=your_scheduler/m01_generator
cat >$m1/README.zh.md <<'TEXT'
# m1：夹书签的函数
<!-- en 12345678 m1: A function with a bookmark -->

[English](README.md) | 中文

文件夹是空的。

## 提示 1
<!-- en 12345678 Hint 1 -->

想想书签。

## 提示 2
<!-- en 12345678 Hint 2 -->
TEXT
rm work/mine/.hints
export LANG=zh_CN.UTF-8
for locale in C ''; do
  expect 0 env LC_ALL=$locale LC_MESSAGES= ./learn next
  ! grep 'English\|Hint\|提示\|<!--' "$scratch/out" || complain "the task contains more than itself"
done
prints "m1：夹书签的函数"
prints "文件夹是空的。"
expect 0 env LC_ALL= LC_MESSAGES= ./learn hint
prints "Hint 1 of 3"
prints "想想书签。"
! grep -q '提示' "$scratch/out" || complain "a hint contains the next one"
unset LANG
rm $m1/README.zh.md

cp step01_generators/generator.hpp $m1/tournament.hpp work/mine
sed 's/state_ = State::/state_ = State::start; \/\//' $m1/tournament.hpp >work/mine/tournament.hpp
expect 1 ./learn check
prints "test.cpp         FAIL"
prints "$m1/test.cpp:"
[ "$(wc -l <"$scratch/out")" -le 24 ] || complain "a wrong bookmark fills the screen"
expect 0 ./learn list 1
! grep -q passed "$scratch/out" || complain "m1 has not passed"
cp $m1/tournament.hpp work/mine
expect 0 ./learn check
prints "test.cpp         ok "
prints "compare it with ours: ./learn diff m1"
prints "next: ./learn next   m2: A body that listens"
prints "[1 of 14, "
expect 0 ./learn list 1
prints "  m1  passed  chapter 1 "
expect 0 ./learn diff m1
prints "No line differs."

# Skipping loses nothing, and does not hide a later mistake.
echo mine >work/mine/notes
expect 0 ./learn take m3
prints "work/mine contains our files of m3 now; yours are in work/mine.1"
has work/mine.1/notes
has work/mine/notes
has work/mine/scheduler.hpp
expect 0 ./learn list mine
prints "  m1  passed  chapter 1 "
prints "  m2  taken   chapter 2 "
expect 0 ./learn check m3
expect 0 ./learn check m1
prints "m1 has passed, and its tests end with m2"
expect 0 ./learn check mine
prints "  m3   ok     The queue and the loop"
sed -i 's/push_back(std::move(task))/push_front(std::move(task))/' work/mine/scheduler.hpp
expect 1 ./learn check mine
prints "  m3   FAIL   The queue and the loop"
prints "test.cpp         FAIL"

# If nobody reads on, a command ends without a word, and leaves nothing behind.
for words in 'check m3' 'hint m3'; do
  # shellcheck disable=SC2086 # words, not one word
  ./learn $words 2>"$scratch/err" | head -n 1 >/dev/null
  [ ! -s "$scratch/err" ] || complain "$words, of which one line is read, complains: $(head -n 1 "$scratch/err")"
done
[ -z "$(find build/exercises -name '*.*.*')" ] || complain "a check leaves something behind: $(find build/exercises -name '*.*.*')"

# An earlier stage that breaks is named. What the sanitizers say is about the stage that was checked.
gone='int* gone = new int(1); delete gone; static volatile int kept; kept = *gone;'
cp step04_syscalls/*.hpp work/mine
sed "s/scheduler.schedule(asker, asker);/$gone &/" step04_syscalls/process.hpp >work/mine/process.hpp
sed -i 's/^m2 taken/m2/' work/mine/.passed
sed -i 's/^ private:/ public:/; s/if (valid()) run(std::move(value));/if (valid()) { run(std::move(value)); } else { run(std::move(value)); }/' work/mine/generator.hpp
expect 1 ./learn check m4
prints "test.cpp         ok "
prints "test.cpp         note   all tests pass, but the sanitizers have found:"
prints "    work/mine/process.hpp:"
prints "but m2 no longer passes: A body that listens"
cp step04_syscalls/*.hpp work/mine
expect 0 ./learn check m4
prints "[4 of 14, "

# A look back doesn't change what the next check tests.
expect 0 ./learn hint m2
expect 0 ./learn check
prints "m4   The counter"
expect 0 ./learn check m1
prints "next: ./learn next   m5: Kill and wait"

# A program of the reader.
printf '#include <iostream>\nint main(int n, char**) { std::cout << n << "\\n"; }\n' >work/mine/count.cpp
expect 0 ./learn run mine count a b
prints "3"
expect 2 ./learn run mine nosuch
complains "there is no work/mine/nosuch.cpp; there are: count"
cp step04_syscalls/task_ids.cpp work/mine
expect 0 ./learn trace mine task_ids
prints "get_task_id"

# A chat that its judge has passed is judged once more with a sanitizer.
MINE=work/chat
export MINE
expect 0 ./learn take m12
sed -i "s/guests_.remove(guest);/$gone &/" work/chat/chat.cpp
expect 0 ./learn check m12
prints "pieces   ok "
prints "chat.cpp         note   the judge has seen no fault, but a sanitizer has:"
prints "    work/chat/chat.cpp:"
unset MINE

# An exercise whose piece is filled in: from the list to the next one.
expect 0 ./learn exercise 1a
prints "1a: A yield by hand"
prints "here:   work/1a/program.cpp:24"
prints "then:   ./learn check "
! grep -q 'Hint 1' "$scratch/out" work/1a/README.md || complain "the task contains the hints"
expect 0 ./learn list
prints "exercises: 1a begun"
expect 1 ./learn check
prints "first difference at line 1 of"
prints "    step01_generators/exercises/1a/expected.txt"
prints "next: ./learn hint 1a"
hints 1a
prints "./learn solution 1a"
answers n 1 solution 1a
prints "You have not solved 1a yet"
! grep -q 'state_ = State::yielded' "$scratch/out" || complain "the solution was not wanted"
answers y 0 solution 1a
prints "+        state_ = State::yielded;"
prints "Your two lines and the label are a"

echo mine >work/1a/notes
expect 0 ./learn exercise 1a
prints "as you left it"
answers n 1 reset 1a
has work/1a/notes
answers y 0 reset 1a
prints "work/1a.1"
prints "then:   ./learn check"
has work/1a.1/notes
answers y 0 reset 1a
has work/1a.2/program.cpp
expect 0 ./learn hint 1a
prints "Hint 1 of 3"

cp step01_generators/exercises/1a/program.cpp work/1a
expect 0 ./learn check all
prints "  m3   ok     The queue and the loop"
prints "1a   A yield by hand"
prints "program          ok     5 lines, identical"
prints "test.cpp         ok     4 tests"
prints "Your two lines and the label are a"
expect 0 ./learn list 1
prints "1a  passed  fill in"
expect 0 ./learn solution 1a
prints "No line differs."
expect 0 ./learn --line list
prints "stages: up to m4, next m5; exercises: 1a"

# What is changed after its check, or fails, is not solved.
echo >>work/1a/program.cpp
expect 0 ./learn list 1
prints "1a  begun   fill in"
expect 0 ./learn check
sed -i 's/"so", 4/"so", 5/' step01_generators/exercises/1a/test.cpp # another edition, which asks for more
expect 1 ./learn check
expect 0 ./learn list 1
prints "1a  begun   fill in"
cp "$root/step01_generators/exercises/1a/test.cpp" step01_generators/exercises/1a

# Between a stage and an exercise, the last one named counts.
expect 0 ./learn hint m6
expect 1 ./learn check
prints "m6               FAIL   there is no work/mine/socket.hpp"

# Code that does not compile, never ends, or crashes. Only the first error is shown, in at most 80 columns.
original=step01_generators/exercises/1a/program.cpp
broken() {
  sed "$2" $original >work/1a/program.cpp
  expect "$1" env CMAKE_CXX_COMPILER_LAUNCHER="${launcher-${CMAKE_CXX_COMPILER_LAUNCHER-}}" ./learn check 1a
}
launcher='' # ccache wraps lines earlier
broken 2 's|return word_;|/* a comment that is so long that the mistake is after column 80, as you see */ return nonsense;|; s/++i_) {/++i_) { rubbish;/'
prints "it does not compile"
prints "work/1a/program.cpp:23:"
! grep -q nonsense "$scratch/out" || complain "more than the first error"
broken 2 's|return word_;|/* a comment that is so long that the mistake is after column 80, as you see */ return nonsense;|'
is_narrow
prints "return nonsense;"
answers y 0 solution 1a
is_narrow
broken 2 's/for (i_ = 0; i_ < times_; ++i_)/for (int i = 0; i < times_; ++i)/'
prints "work/1a/program.cpp:26:"
prints "work/1a/program.cpp:23:"
prints "initialization"
unset launcher
broken 2 's/return word_;/return times();/; s/^ private:/  std::string times();\n&/'
prints "it is declared, but its body is missing:"
prints "    Repeat::times()"
CHECK_SECONDS=1 broken 1 's/return word_;/for (;;) i_ = 0; &/'
prints "it did not end within 1 seconds"
prints "    (an endless loop, or a wait that never ends?)"

# A crash: the line is shown. The undefined behaviour is the same in each run.
broken 1 's/int i_ = 0;/& int* where_ = nullptr;/; s/return word_;/if (i_ == 1) *where_ = 1; &/'
prints "it was stopped by signal SEGV"
prints "         1 | la                               | la"
prints "first difference at line 2 of"
prints "    work/1a/program.cpp:25: store to null pointer of type 'int'"
broken 1 's/return word_;/throw std::string("no"); &/'
prints "    work/1a/program.cpp:25:"
prints "is not caught"
broken 1 's/int i_ = 0;/& std::optional<std::string> empty_;/; s/return word_;/return *empty_;/'
prints "work/1a/program.cpp:25: Assertion"
! grep -q Assertion "$scratch/err" || complain "the assertion is also shown without the line"
broken 1 's/int i_ = 0;/& int* where_ = nullptr;/; s/return word_;/if (times_ > 3) *where_ = 1; &/'
prints "program          ok     5 lines"
prints "test.cpp         FAIL   Repeat yields its word the given number of times"
prints "SIGSEGV"
prints "    work/1a/program.cpp:25: store to null pointer of type 'int'"
CHECK_SECONDS=1 broken 1 's/return word_;/while (times_ > 3) i_ = 0; &/'
prints "it did not end within 1 seconds"
broken 1 's/return word_;/return random_word(); &/; s/^ private:/&\nstd::string random_word() { int i; return std::to_string(i); }/'
prints "| -16843010"

# It doesn't help to print the expected output, neither in main() nor before it.
print='std::cout << "la\nla\nla\nhey\nhey\n"'
{ sed '/^int main/,$d; s/return word_;/return "x";/' $original && printf '%s\n' "int main() { $print; }"; } \
  >work/1a/program.cpp
expect 1 ./learn check 1a
prints "program.cpp      note   this runs the original main(), not yours"
prints "first difference at line 1"
{ sed '1i #include <cstdlib>' $original && printf '%s\n' "const int cheat = ($print << std::flush, std::_Exit(0), 0);"; } \
  >work/1a/program.cpp
expect 1 ./learn check 1a
prints "program          ok "
prints "test.cpp         FAIL"
prints "the program has ended in the middle of the tests"

# An exercise that changes what is there.
expect 0 ./learn exercise 4b
answers y 0 solution 4b
prints "+        return fork_task();  // child = yield fork_task()"
patch -s -p1 -d work/4b <step04_syscalls/exercises/4b/solutions/solution.patch
expect 0 ./learn check 4b
sed -i 's/^@@ -44,20 +44,30 @@/@@ -46,20 +46,30 @@/' step04_syscalls/exercises/4b/solutions/solution.patch # patch makes a backup
expect 0 ./learn solution 4b
prints "No line differs."
cp "$root/step04_syscalls/exercises/4b/solutions/solution.patch" step04_syscalls/exercises/4b/solutions

# Many checks at once don't disturb each other, and leave nothing. A missing file is copied again, and no other one is touched.
expect 0 ./learn exercise 3a
cp -R work/3a "$scratch/before"
for n in 1 2 3; do
  rm -f work/3a/scheduler.hpp work/3a/task.hpp
  { ./learn check 3a >"$scratch/check$n" 2>&1 || echo "ends with $?" >>"$scratch/check$n"; } &
  checks="${checks-} $!"
done
# shellcheck disable=SC2086 # a word for each
wait $checks
for n in 1 2 3; do
  cp "$scratch/check$n" "$scratch/out"
  what="check $n of 3"
  prints 'first difference at line 1'
  prints 'ends with 1'
done
grep -q 'scheduler.hpp was missing' "$scratch"/check? || complain "a missing file is copied again without a word"
diff -r "$scratch/before" work/3a || complain "work/3a has changed"
[ -z "$(find work build/exercises -name '*3a?*')" ] || complain "files are left: $(find work build/exercises -name '*3a?*')"

# The original program and the original tests are used, not those of the reader.
echo 'int main() { }' >work/3a/two_tasks.cpp
: >work/3a/test.cpp
expect 1 ./learn check 3a
prints "two_tasks.cpp    note   this runs the original program, not yours"
prints "first difference at line 1"
# A warning is shown once, although the program and its tests include the file.
sed '1a inline int twice(int number) { int unused; return 2 * number; }' \
  step03_scheduler/scheduler.hpp >work/3a/scheduler.hpp
expect 0 ./learn check 3a
prints "test.cpp         note   this runs the original tests, not yours"
prints "test.cpp         ok     5 tests"
[ "$(grep -c 'warning: unused' "$scratch/out")" = 1 ] || complain "a warning is not shown once"
awk -v name=index_loop -v file=scheduler.hpp -f tools/exercise/version.awk step03_scheduler/exercises/3a/facts \
  step03_scheduler/scheduler.hpp >work/3a/scheduler.hpp
expect 1 ./learn check 3a
prints "two_tasks        ok     15 lines"
prints "test.cpp         FAIL   a finished coroutine is destroyed before the next"
prints "                          task has a turn"
prints "exercises/3a/test.cpp:60: FAILED:"
prints '    { "a", "a still exists" }'

# An iterator that is no longer valid: the program only ends too early.
sed 's/while (!ready_.empty())/for (Task\& first : ready_)/; s/std::move(ready_.front())/std::move(first)/' \
  step03_scheduler/scheduler.hpp >work/3a/scheduler.hpp
expect 1 ./learn check 3a
prints "(the output has ended)"
prints "    work/3a/scheduler.hpp:23: attempt to"

# A coroutine that g++ 12 may compile wrongly.
expect 0 ./learn exercise 9b
sed -i 's/  const std::string from_attic = co_await attic;/  std::cout << co_await attic;\n  const std::string from_attic;/' work/9b/program.cpp
expect 1 ./learn check 9b
prints "coroutines       note   g++ 12 may compile this wrongly; chapter 8 says why"
prints "    work/9b/program.cpp:21:"

# A work/ that is no folder, or that can't be written: nothing is lost.
mv work kept
echo precious >work
for words in next "take m1" "exercise 1a"; do
  # shellcheck disable=SC2086 # words, not one word
  expect 2 ./learn $words
  complains "cannot be written to"
  grep -q precious work || complain "work was overwritten"
done
rm work && mkdir -p work/1a
expect 1 ./learn check 1a
rm -rf work && mv kept work

# breaks NAME SED-SCRIPT FILE WHAT-IT-SAYS: the proof, which with the same files is left out, notices what is wrong.
breaks() {
  task=$(grep -l "^# $1: " step0*/exercises/*/README.md your_scheduler/m*/README.md)
  file=${task%README.md}$3
  cp "$file" "$scratch/kept"
  sed "$2" "$scratch/kept" >"$file"
  expect 1 tools/exercise/prove --new "$1"
  prints "$1: $4"
  cp "$scratch/kept" "$file"
}
expect 0 tools/exercise/prove 3a
prints "3a ok"
expect 0 tools/exercise/prove --new 3a
prints "3a was proved with the same files"
breaks m3 's/^## Hint 2/## Hint two/' README.md "the README must begin with"
breaks m3 's/^wrong id_used_twice scheduler.hpp: /&nosuch /' facts "id_used_twice cannot be made"
breaks m3 's/^    return coroutine->send(Value{});$/    if (started) return coroutine->send(Value{});  \/\//' facts "first_yield_lost must build and fail"
breaks 1a '/^minutes/d' facts "its kind must be"
breaks 1a 's/^kind .*/kind of/' facts "its kind must be"
breaks 1a 's/^Only/& & & & & & & & & & & & & & & &/' README.md "the README has lines of more than 80 columns"
breaks 1a 's/: for (i_ = 0/: for (i = 0/' facts "the reader's copy cannot be made"
breaks 1a 's/program.cpp/nosuch.hpp/' facts "the reader's copy cannot be made"
breaks 1a 's/Your turn/My turn/' facts "nothing in the reader's copy"
breaks 1a 's/^ .*Your turn/      rubbish; &/' facts "unsolved, it must build and fail"
breaks 1a 's/"so", 4/"so", 5/' test.cpp "our solution must pass"
breaks 1a 's/"la"; /nonsense; /' facts "fixed_word must build and fail"
breaks 1a 's/fixed_word program.cpp: return/& no/' facts "fixed_word cannot be made"
breaks 1a 's/"la"; /word_; /' facts "fixed_word changes nothing"
breaks 4b 's/program.cpp/nosuch.cpp/' solutions/solution.patch "our solution cannot be made"
breaks 9b 's/co_await watch(.*/nonsense;/' facts "two_watchers must pass"
rm step01_generators/exercises/1a/test.cpp
expect 1 tools/exercise/prove 1a
prints "1a: it has no test.cpp"

finish
