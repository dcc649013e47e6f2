#!/bin/sh
# A reader's commands on the stages of a scheduler of his own and on the exercises, one of each kind, with mistakes in the
# solution, and with a broken work/. The stages and exercises themselves are proved by tools/exercise/prove.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
copy_project
unset PROVED # which .ci/full sets
export CHECK_SECONDS=40 # on a loaded machine, 100 000 tasks take more than 10 seconds

# answers WORD STATUS COMMAND NAME [TEXT...]: WORD is the answer to the question of ./learn COMMAND NAME.
answers() {
  echo "$1" >"$scratch/answer"
  shift
  # shellcheck disable=SC2016 # the words are those of the inner shell
  expect "$1" sh -c '"$@" <"$0"' "$scratch/answer" ./learn "$2" "$3"
  shift 3
  prints "$@"
}
has() { [ -e "$1" ] || complain "$what: no $1"; }

# hints NAME TEXT: one at a time, and then all, with what may be done after them.
hints() {
  for n in 1 2 3; do
    learn 0 "hint" "Hint $n of 3"
    [ "$(grep -c '^Hint' "$scratch/out")" = 1 ] || complain "more than one hint at a time"
  done
  learn 0 "hint $1" "$2"
}

# Wrong words.
for words in "exercise" "exercise ../1a" "hint 9z" "check 1a" "check m15" "check m3" "hint ../m1" "take m99" "run mine" \
  "run mine nosuch" "reset m1" "solution m1" "next m1" "take m1 m2" "list mine m1"; do
  refuses "$words"
done
[ ! -e work ] || complain "wrong words begin something"

# What was begun in the edition before, when most exercises had other numbers.
mkdir -p work/3b work/9b
echo 3b >work/.current
refuses "check" "exercise 3b is 3a now; if you have begun it: mv work/3b work/3a"
refuses "hint 3b" "exercise 3b is 3a now; if you have begun it: mv work/3b work/3a"
echo '# 9b: A clean-up that waits' >work/9b/README.md
refuses "check 9b" "exercise 9b is 9a now; if you have begun it: mv work/9b work/9a"
refuses "exercise 3d" "there is no exercise '3d' any longer; m3 teaches the same: ./learn next"
rm -r work

# From the empty folder to the first stage that passes.
learn 0 "list" "yours: m4, m5" "exercises: 4a, 4b" "next: ./learn next   m1: A function with a bookmark" \
  "[0 of 14, about "
is_plain
learn 0 "next" "m1: A function with a bookmark" "where:  work/mine/"
prints_no 'Hint 1'
[ "$(ls work/mine)" = compile_flags.txt ] || complain "work/mine is not empty: $(ls work/mine)"
learn 1 "check" "m1               FAIL   there is no work/mine/generator.hpp" "next: ./learn hint m1"
hints m1 "./learn take m1"

# In a Chinese locale, a task is Chinese if it is translated. The link to the other language is for browsers.
m1=your_scheduler/m01_generator
cat >$m1/README.zh.md <<'TEXT'
# m1: 夹书签的函数
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
  LC_ALL=$locale LC_MESSAGES='' learn 0 "next"
  prints_no 'English' 'Hint' '提示' '<!--'
done
prints "m1: 夹书签的函数" "文件夹是空的。" "书：step01_generators/README.zh.md" "卡住了：./learn hint"
cp -R tools/zh_messages.tsv "$scratch" # without it, the messages are English
: >tools/zh_messages.tsv
LC_ALL='' LC_MESSAGES='' learn 0 "next" "文件夹是空的。" "chapter: step01_generators/README.zh.md"
cp "$scratch/zh_messages.tsv" tools
LC_ALL='' LC_MESSAGES='' learn 0 "hint" "提示 1（共 3 条）" "想想书签。"
LC_ALL=C learn 0 "list mine" "  m1          chapter 1   25 min  A function with a bookmark"
LC_ALL='' LC_MESSAGES='' learn 0 "list mine" "  m1          第 1 章     25 分钟  夹书签的函数"
LC_ALL='' LC_MESSAGES='' learn 1 "check" "m1               失败   没有 work/mine/generator.hpp" "接下来：./learn hint m1"
prints_no '提示' # the next one
unset LANG
rm $m1/README.zh.md

cp step01_generators/generator.hpp $m1/tournament.hpp work/mine
sed 's/state_ = State::/state_ = State::start; \/\//' $m1/tournament.hpp >work/mine/tournament.hpp
learn 1 "check" "test.cpp         FAIL" "$m1/test.cpp:"
[ "$(wc -l <"$scratch/out")" -le 24 ] || complain "a wrong bookmark fills the screen"
learn 0 "list 1"
prints_no passed
cp $m1/tournament.hpp work/mine
learn 0 "check" "test.cpp         ok " "compare it with ours: ./learn diff m1" \
  "next: ./learn next   m2: A body that listens" "[1 of 14, "
learn 0 "list 1" "  m1  passed  chapter 1 "
learn 0 "diff m1" "No line differs."

# Skipping loses nothing, and does not hide a later mistake.
echo mine >work/mine/notes
learn 0 "take m3" "work/mine contains our files of m3 now; yours are in work/mine.1"
has work/mine.1/notes
has work/mine/notes
has work/mine/scheduler.hpp
learn 0 "list mine" "  m1  passed  chapter 1 " "  m2  taken   chapter 2 "
learn 0 "check m3"
learn 0 "check m1" "m1 has passed, and its tests end with m2"
learn 0 "check mine" "  m3   ok     The queue and the loop"
sed -i 's/push_back(std::move(task))/push_front(std::move(task))/' work/mine/scheduler.hpp
learn 1 "check mine" "  m3   FAIL   The queue and the loop" "test.cpp         FAIL"

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
learn 1 "check m4" "test.cpp         ok " \
  "test.cpp         note   all tests pass, but the sanitizers have found:" "    work/mine/process.hpp:" \
  "but m2 no longer passes: A body that listens"
cp step04_syscalls/*.hpp work/mine
learn 0 "check m4" "[4 of 14, "

# A look back doesn't change what the next check tests.
learn 0 "hint m2"
learn 0 "check" "m4   The counter"
learn 0 "check m1" "next: ./learn next   m5: Kill and wait"

# A program of the reader.
printf '#include <iostream>\nint main(int n, char**) { std::cout << n << "\\n"; }\n' >work/mine/count.cpp
learn 0 "run mine count a b" "3"
refuses "run mine nosuch" "there is no work/mine/nosuch.cpp; there are: count"
cp step04_syscalls/task_ids.cpp work/mine
learn 0 "trace mine task_ids" "get_task_id"

# A chat that its judge has passed is judged once more with a sanitizer.
MINE=work/chat
export MINE
learn 0 "take m12"
sed -i "s/guests_.remove(guest);/$gone &/" work/chat/chat.cpp
learn 0 "check m12" "pieces   ok " "chat.cpp         note   the judge has seen no fault, but a sanitizer has:" \
  "    work/chat/chat.cpp:"
unset MINE

# An exercise whose piece is filled in: from the list to the next one.
learn 0 "exercise 1a" "1a: A yield by hand" "here:   work/1a/program.cpp:24" "then:   ./learn check "
! grep -q 'Hint 1' "$scratch/out" work/1a/README.md || complain "the task contains the hints"
learn 0 "list" "exercises: 1a begun"
learn 1 "check" "first difference at line 1 of" "    step01_generators/exercises/1a/expected.txt" \
  "next: ./learn hint 1a"
hints 1a "./learn solution 1a"
answers n 1 solution 1a "You have not solved 1a yet"
prints_no 'state_ = State::yielded'
answers y 0 solution 1a "+        state_ = State::yielded;" "Your two lines and the label are a"

echo mine >work/1a/notes
learn 0 "exercise 1a" "as you left it"
answers n 1 reset 1a
has work/1a/notes
answers y 0 reset 1a "work/1a.1" "then:   ./learn check"
has work/1a.1/notes
answers y 0 reset 1a
has work/1a.2/program.cpp
learn 0 "hint 1a" "Hint 1 of 3"

cp step01_generators/exercises/1a/program.cpp work/1a
learn 0 "check all" "  m3   ok     The queue and the loop" "1a   A yield by hand" \
  "program          ok     5 lines, identical" "test.cpp         ok     4 tests" \
  "Your two lines and the label are a"
learn 0 "list 1" "1a  passed  fill in"
learn 0 "solution 1a" "No line differs."
learn 0 "--line list" "stages: up to m4, next m5; exercises: 1a"

# What is changed after its check, or fails, is not solved.
echo >>work/1a/program.cpp
learn 0 "list 1" "1a  begun   fill in"
learn 0 "check"
sed -i 's/"so", 4/"so", 5/' step01_generators/exercises/1a/test.cpp # another edition, which asks for more
learn 1 "check"
learn 0 "list 1" "1a  begun   fill in"
cp "$root/step01_generators/exercises/1a/test.cpp" step01_generators/exercises/1a

# Between a stage and an exercise, the last one named counts.
learn 0 "run" "la"
learn 0 "trace" "Repeat"
learn 0 "hint m6"
learn 1 "check" "m6               FAIL   there is no work/mine/socket.hpp"

# Code that does not compile, never ends, or crashes. Only the first error is shown, in at most 80 columns.
original=step01_generators/exercises/1a/program.cpp
broken() { # broken STATUS SED-SCRIPT [TEXT...]
  sed "$2" $original >work/1a/program.cpp
  expect "$1" env CMAKE_CXX_COMPILER_LAUNCHER="${launcher-${CMAKE_CXX_COMPILER_LAUNCHER-}}" ./learn check 1a
  shift 2
  prints "$@"
}
launcher='' # ccache wraps lines earlier
broken 2 's|return word_;|/* a comment that is so long that the mistake is after column 80, as you see */ return nonsense;|; s/++i_) {/++i_) { rubbish;/' \
  "it does not compile" "work/1a/program.cpp:23:"
prints_no nonsense # only the first error
broken 2 's|return word_;|/* a comment that is so long that the mistake is after column 80, as you see */ return nonsense;|'
is_narrow
prints "return nonsense;"
answers y 0 solution 1a
is_narrow
broken 2 's/for (i_ = 0; i_ < times_; ++i_)/for (int i = 0; i < times_; ++i)/' "work/1a/program.cpp:26:" \
  "work/1a/program.cpp:23:" "initialization"
unset launcher
broken 2 's/return word_;/return times();/; s/^ private:/  std::string times();\n&/' \
  "it is declared, but its body is missing:" "    Repeat::times()"
CHECK_SECONDS=1 broken 1 's/return word_;/for (;;) i_ = 0; &/' "it did not end within 1 seconds" \
  "    (an endless loop, or a wait that never ends?)"

# A crash: the line is shown. The undefined behaviour is the same in each run.
broken 1 's/int i_ = 0;/& int* where_ = nullptr;/; s/return word_;/if (i_ == 1) *where_ = 1; &/' \
  "it was stopped by signal SEGV" "         1 | la                               | la" \
  "first difference at line 2 of" "    work/1a/program.cpp:25: store to null pointer of type 'int'"
broken 1 's/return word_;/throw std::string("no"); &/' "    work/1a/program.cpp:25:" "is not caught"
broken 1 's/int i_ = 0;/& std::optional<std::string> empty_;/; s/return word_;/return *empty_;/' \
  "work/1a/program.cpp:25: Assertion"
! grep -q Assertion "$scratch/err" || complain "the assertion is also shown without the line"
broken 1 's/int i_ = 0;/& int* where_ = nullptr;/; s/return word_;/if (times_ > 3) *where_ = 1; &/' \
  "program          ok     5 lines" "test.cpp         FAIL   Repeat yields its word the given number of times" \
  "SIGSEGV" "    work/1a/program.cpp:25: store to null pointer of type 'int'"
CHECK_SECONDS=1 broken 1 's/return word_;/while (times_ > 3) i_ = 0; &/' "it did not end within 1 seconds"
broken 1 's/return word_;/return random_word(); &/; s/^ private:/&\nstd::string random_word() { int i; return std::to_string(i); }/' \
  "| -16843010"

# It doesn't help to print the expected output, neither in main() nor before it.
print='std::cout << "la\nla\nla\nhey\nhey\n"'
{ sed '/^int main/,$d; s/return word_;/return "x";/' $original && printf '%s\n' "int main() { $print; }"; } \
  >work/1a/program.cpp
learn 1 "check 1a" "program.cpp      note   this runs the original main(), not yours" \
  "first difference at line 1"
{ sed '1i #include <cstdlib>' $original && printf '%s\n' "const int cheat = ($print << std::flush, std::_Exit(0), 0);"; } \
  >work/1a/program.cpp
learn 1 "check 1a" "program          ok " "test.cpp         FAIL" \
  "the program has ended in the middle of the tests"

# An exercise that changes what is there.
learn 0 "exercise 4b"
answers y 0 solution 4b "+        return fork_task(*this);  // child = yield fork_task()"
patch -s -p1 -d work/4b <step04_syscalls/exercises/4b/solutions/solution.patch
learn 0 "check 4b"
sed -i 's/^@@ -44,20 +44,30 @@/@@ -46,20 +46,30 @@/' step04_syscalls/exercises/4b/solutions/solution.patch # patch makes a backup
learn 0 "solution 4b" "No line differs."
cp "$root/step04_syscalls/exercises/4b/solutions/solution.patch" step04_syscalls/exercises/4b/solutions

# Many checks at once don't disturb each other, and leave nothing. A missing file is copied again, and no other one is touched.
learn 0 "exercise 3a"
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
  prints 'first difference at line 1' 'ends with 1'
done
grep -q 'scheduler.hpp was missing' "$scratch"/check? || complain "a missing file is copied again without a word"
diff -r "$scratch/before" work/3a || complain "work/3a has changed"
[ -z "$(find work build/exercises -name '*3a?*')" ] || complain "files are left: $(find work build/exercises -name '*3a?*')"

# The original program and the original tests are used, not those of the reader.
echo 'int main() { }' >work/3a/two_tasks.cpp
: >work/3a/test.cpp
learn 1 "check 3a" "two_tasks.cpp    note   this runs the original program, not yours" \
  "first difference at line 1"
# A warning is shown once, although the program and its tests include the file.
sed '1a inline int twice(int number) { int unused; return 2 * number; }' \
  step03_scheduler/scheduler.hpp >work/3a/scheduler.hpp
learn 0 "check 3a" "test.cpp         note   this runs the original tests, not yours" \
  "test.cpp         ok     5 tests"
[ "$(grep -c 'warning: unused' "$scratch/out")" = 1 ] || complain "a warning is not shown once"
awk -v name=index_loop -v file=scheduler.hpp -f tools/exercise/version.awk step03_scheduler/exercises/3a/facts \
  step03_scheduler/scheduler.hpp >work/3a/scheduler.hpp
learn 1 "check 3a" "two_tasks        ok     15 lines" \
  "test.cpp         FAIL   a finished coroutine is destroyed before the next" \
  "                          task has a turn" "exercises/3a/test.cpp:60: FAILED:" \
  '    { "a", "a still exists" }'

# An iterator that is no longer valid: the program only ends too early.
sed 's/while (!ready_.empty())/for (Task\& first : ready_)/; s/std::move(ready_.front())/std::move(first)/' \
  step03_scheduler/scheduler.hpp >work/3a/scheduler.hpp
learn 1 "check 3a" "(the output has ended)" "    work/3a/scheduler.hpp:23: attempt to"

# A coroutine that g++ 12 may compile wrongly.
learn 0 "exercise 9b"
sed -i 's/  const std::string from_attic = co_await attic;/  std::cout << co_await attic;\n  const std::string from_attic;/' work/9b/program.cpp
learn 1 "check 9b" "coroutines       note   g++ 12 may compile this wrongly; chapter 8 says why" \
  "    work/9b/program.cpp:21:"

# A work/ that is no folder, or that can't be written: nothing is lost.
mv work kept
echo precious >work
for words in next "take m1" "exercise 1a"; do
  refuses "$words" "cannot be written to"
  grep -q precious work || complain "work was overwritten"
done
rm work && mkdir -p work/1a
learn 1 "check 1a"
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
sed -i 's/^The chapter/This chapter/' step03_scheduler/exercises/3a/README.md # its words prove nothing
expect 0 tools/exercise/prove --new 3a
prints "3a was proved with the same files"
breaks m3 's/^## Hint 2/## Hint two/' README.md "the README must begin with"
breaks m3 's/^wrong id_used_twice scheduler.hpp: /&nosuch /' facts "id_used_twice cannot be made"
breaks m3 's/^    return coroutine->send(Value{});$/    if (started) return coroutine->send(Value{});  \/\//' facts "first_yield_lost must build and fail"
breaks 1a '/^minutes/d' facts "its kind must be"
breaks 1a 's/^kind .*/kind of/' facts "its kind must be"
breaks 1a 's/^Only/& & & & & & & & & & & & & & & &/' README.md "the README has lines of more than 80 columns"
breaks 1a 's/^\(blank .*\)+1: state_/&nosuch/' facts "the reader's copy cannot be made"
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
