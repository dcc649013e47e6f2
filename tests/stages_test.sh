#!/bin/sh
# A reader's commands on the stages of a scheduler of his own, with mistakes, and with a broken work/. The stages
# themselves are proved by tools/exercise/mine prove.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
copy_project

has() { [ -e "$1" ] || complain "$what: no $1"; }

# Wrong words.
for words in "check m15" "check m3" "hint ../m1" "take m99" "run mine" "run mine nosuch" "reset m1" "solution m1" "next m1" \
  "take m1 m2" "list mine m1"; do
  # shellcheck disable=SC2086 # words, not one word
  expect 2 ./learn $words
  prints_nothing
  complains_in_one_line
done
[ ! -e work ] || complain "wrong words begin a stage"

# From the empty folder to the first stage that passes.
expect 0 ./learn list
prints "yours: m4, m5"
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
for n in 1 2 3; do
  expect 0 ./learn hint
  prints "Hint $n of 3"
  [ "$(grep -c '^Hint' "$scratch/out")" = 1 ] || complain "more than one hint at a time"
done
expect 0 ./learn hint m1
prints "./learn take m1"

# In a Chinese locale, a stage is Chinese if it is translated. The link to the other language is for browsers.
sed -i '2s/$/\nEnglish | [中文](README.zh.md)\n/' your_scheduler/m01_generator/README.md
cat >your_scheduler/m01_generator/README.zh.md <<'TEXT'
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
rm your_scheduler/m01_generator/README.zh.md

cp step01_generators/generator.hpp your_scheduler/m01_generator/tournament.hpp work/mine
sed 's/state_ = State::/state_ = State::start; \/\//' your_scheduler/m01_generator/tournament.hpp >work/mine/tournament.hpp
expect 1 ./learn check
prints "test.cpp         FAIL"
prints "your_scheduler/m01_generator/test.cpp:"
[ "$(wc -l <"$scratch/out")" -le 24 ] || complain "a wrong bookmark fills the screen"
echo rubbish >>work/mine/generator.hpp
expect 2 ./learn check
prints "test.cpp         FAIL   it does not compile"
prints "work/mine/generator.hpp:"
expect 0 ./learn list 1
! grep -q passed "$scratch/out" || complain "m1 has not passed"
cp step01_generators/generator.hpp your_scheduler/m01_generator/tournament.hpp work/mine
expect 0 ./learn check
prints "test.cpp         ok "
prints "compare it with ours: ./learn diff m1"
prints "next: ./learn next   m2: A body that listens"
prints "[1 of 14, "
expect 0 ./learn list 1
prints "  m1  passed  chapter 1 "
expect 0 ./learn diff m1
prints "No line differs."

# A stage without mistakes that a test sees, but one that the sanitizers see.
gone='int* gone = new int(1); delete gone; static volatile int kept; kept = *gone;'
sed "s/return current().has_value();/$gone &/" \
  step01_generators/generator.hpp >work/mine/generator.hpp
sed -i '/^m1/d' work/mine/.passed
expect 0 ./learn check
prints "test.cpp         note   all tests pass, but the sanitizers have found:"
prints "    work/mine/generator.hpp:"

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
expect 1 ./learn check m3
prints "test.cpp         FAIL"

# If nobody reads on, a check ends without a word, and leaves nothing behind.
for words in 'check m3' 'hint m3'; do
  # shellcheck disable=SC2086 # words, not one word
  ./learn $words 2>"$scratch/err" | head -n 1 >/dev/null
  [ ! -s "$scratch/err" ] || complain "$words, of which one line is read, complains: $(head -n 1 "$scratch/err")"
done
[ -z "$(find build/mine -name '*.*.*')" ] || complain "a check leaves something behind: $(find build/mine -name '*.*.*')"

# An earlier stage that breaks is named.
cp step04_syscalls/*.hpp work/mine
sed -i 's/^m2 taken/m2/' work/mine/.passed
sed -i 's/^ private:/ public:/; s/if (valid()) run(std::move(value));/if (valid()) { run(std::move(value)); } else { run(std::move(value)); }/' work/mine/generator.hpp
expect 1 ./learn check m4
prints "test.cpp         ok "
prints "but m2 no longer passes: A body that listens"
cp step04_syscalls/*.hpp work/mine
has work/mine/lines.hpp

# What the sanitizers say is about the stage that was checked, although earlier ones are tested after it.
sed "s/scheduler.schedule(asker, asker);/$gone &/" step04_syscalls/process.hpp >work/mine/process.hpp
expect 0 ./learn check m4
prints "test.cpp         note   all tests pass, but the sanitizers have found:"
prints "    work/mine/process.hpp:"
prints "[4 of 14, "
cp step04_syscalls/process.hpp work/mine

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

# Between a stage and an exercise, the last one named counts.
expect 0 ./learn exercise 3a
expect 1 ./learn check
prints "3a   The loop of the scheduler"
expect 0 ./learn hint m6
expect 1 ./learn check
prints "m6               FAIL   there is no work/mine/socket.hpp"

# A work/ that is no folder, or that can't be written: nothing is lost.
mv work kept
echo precious >work
expect 2 ./learn next
complains "/work/mine cannot be written to"
grep -q precious work || complain "work was overwritten"
expect 2 ./learn take m1
grep -q precious work || complain "work was overwritten"
rm work && mv kept work

# breaks SED-SCRIPT FILE WHAT-IT-SAYS: the proof, which with the same files is left out, notices what is wrong with a stage.
breaks() {
  cp "your_scheduler/m03_queue_and_loop/$2" "$scratch/kept"
  sed "$1" "$scratch/kept" >"your_scheduler/m03_queue_and_loop/$2"
  expect 1 tools/exercise/mine prove --new m3
  prints "m3: $3"
  cp "$scratch/kept" "your_scheduler/m03_queue_and_loop/$2"
}
expect 0 tools/exercise/mine prove --new m4
prints "m4 was proved with the same files"
breaks 's/^## Hint 2/## Hint two/' README.md "the README must begin with"
breaks '1s/ready_.push_front/nosuch/; s/^wrong \([a-z_]*\) scheduler.hpp: /&nosuch /' facts "id_used_twice cannot be made"
breaks 's/push_front(std::move(task))/push_back(std::move(task))/' facts "newest_first must build and fail"

finish
