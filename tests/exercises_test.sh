#!/bin/sh
# The exercises: each is proved; then what a learner meets on the way through one of each kind, and what
# happens to a work/ that is broken.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
copy_project

# answers WORD COMMAND...: to the question that the command asks.
answers() {
  echo "$1" >"$scratch/answer"
  shift
  # shellcheck disable=SC2016 # the words are those of the inner shell
  expect "$1" sh -c '"$@" <"$0"' "$scratch/answer" ./learn "$2" "$3"
}
has() { [ -e "$1" ] || complain "$what: no $1"; }
has_not() { [ ! -e "$1" ] || complain "$what: there is $1"; }
solution_of() { cp "$1"/*.cpp "$2"; }

# Words that mean nothing. 9z is well-formed, and not there.
for words in "exercise" "exercise 3" "exercise 9z" "exercise ../1a" "exercise 1a/" "hint 9z" "check 9z" \
  "solution 1a" "hint 1a" "check 1a" "reset 1a"; do
  # shellcheck disable=SC2086 # words, not one word
  expect 2 ./learn $words
  prints_nothing
  complains_in_one_line
done
has_not work

# Fill in: from the list to the next one.
expect 0 ./learn list
prints "exercises: 1a, 1b"
prints "next: ./learn exercise 1a"
prints "read step01_generators/README.md"
is_plain
mkdir -p work/.1a.new/left/behind
expect 0 ./learn exercise 1a
prints "1a: A yield by hand"
prints "here:   work/1a/program.cpp:24"
prints "./learn check 1a"
! grep -q 'Hint 1' "$scratch/out" work/1a/README.md || complain "the task gives the hints away"
has_not work/.1a.new
expect 0 ./learn list
prints "exercises: 1a begun, 1b"

expect 1 ./learn check 1a
prints "first difference at line 1 of step01_generators/exercises/1a/expected.txt"
prints "next: ./learn hint 1a"
is_plain
for n in 1 2 3; do
  expect 0 ./learn hint 1a
  prints "Hint $n of 3"
  [ "$(grep -c '^Hint' "$scratch/out")" = 1 ] || complain "more than one hint at a time"
done
expect 0 ./learn hint 1a
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
has work/1a.1/notes
has_not work/1a/notes
answers y 0 reset 1a
has work/1a.1/notes
has work/1a.2/program.cpp
expect 0 ./learn hint 1a
prints "Hint 1 of 3"

solution_of step01_generators/exercises/1a work/1a
expect 0 ./learn check 1a
prints "program          ok     5 lines, identical"
prints "Your two lines and the label are a"
prints "next: ./learn exercise 1b"
expect 0 ./learn list 1
prints "1a  solved  fill in"
expect 0 ./learn solution 1a
prints "No line differs."

# What does not compile, never ends, crashes or waits. Only the first error is shown.
sed 's/return word_;/return nonsense;/; s/++i_) {/++i_) { rubbish;/' step01_generators/exercises/1a/program.cpp \
  >work/1a/program.cpp
expect 2 ./learn check 1a
prints "it does not compile"
prints "work/1a/program.cpp:23:"
! grep -q nonsense "$scratch/out" || complain "more than the first error"
sed 's/for (i_ = 0; i_ < times_; ++i_)/for (int i = 0; i < times_; ++i)/' \
  step01_generators/exercises/1a/program.cpp >work/1a/program.cpp
expect 2 ./learn check 1a
prints "work/1a/program.cpp:26:"
prints "work/1a/program.cpp:23:"
prints "initialization"
sed 's/state_ = State::yielded;//' step01_generators/exercises/1a/program.cpp >work/1a/program.cpp
expect 1 env CHECK_SECONDS=1 ./learn check 1a
prints "(an endless loop?)"
sed 's/return word_;/if (i_ == 1) { std::cout.flush(); std::abort(); } &/' step01_generators/exercises/1a/program.cpp \
  >work/1a/program.cpp
expect 1 ./learn check 1a
prints "it was stopped by signal ABRT"
prints "         1 | la                                     | la"
prints "first difference at line 2 of"
sed '1i #include <unistd.h>
s/return word_;/pause();/' step01_generators/exercises/1a/program.cpp >work/1a/program.cpp
expect 1 env CHECK_SECONDS=1 ./learn check 1a
prints "it did not end within 1 seconds"

# What is gone is put back, and nothing else is touched.
rm work/1a/generator.hpp work/1a/program.cpp
expect 1 ./learn check 1a
prints "generator.hpp was gone"
prints "program.cpp was gone"
has work/1a/generator.hpp

# Predict.
expect 0 ./learn exercise 1c
prints "here:   work/1c/prediction.txt"
expect 1 ./learn check 1c
prints "line 1 of your answer is not the last; more come"
printf '# so\ncreated \n\nresume\nend\n' >work/1c/prediction.txt
expect 1 ./learn check 1c
prints "line 3 of your answer is not: end"
{ cat step01_generators/exercises/1c/expected.txt && echo more; } >work/1c/prediction.txt
expect 1 ./learn check 1c
prints "there are only 8 lines; yours has 9"
printf '# so\n\n' >work/1c/prediction.txt
expect 1 ./learn check 1c
prints "write down what it prints"
sed 's/^/  /' step01_generators/exercises/1c/expected.txt >work/1c/prediction.txt
expect 0 ./learn check 1c
prints "all 8 lines"

# Change it.
expect 0 ./learn exercise 1d
expect 1 ./learn check 1d
answers y 0 solution 1d
prints "+        state_ = State::going_down;"
patch -s -p1 -d work/1d <step01_generators/exercises/1d/solution.patch
expect 0 ./learn check 1d

# A work/ that is no folder, or a file where the copy should be: nothing is lost.
mv work kept
echo precious >work
expect 2 ./learn exercise 1a
complains "cannot write into work/"
grep -q precious work || complain "work was overwritten"
rm work && mkdir work && echo precious >work/1a
expect 2 ./learn exercise 1a
complains "./learn reset 1a"
answers y 0 reset 1a
grep -q precious work/1a.1 || complain "work/1a was not kept"
rm -rf work/1a && mkdir work/1a
expect 1 ./learn check 1a
if [ "$(id -u)" -ne 0 ]; then
  rm -rf work/1b && chmod a-w work
  expect 2 ./learn exercise 1b
  complains_in_one_line
  chmod u+w work
fi
rm -rf work && mv kept work

# A test: the first that fails, in its own words, and one that never ends.
exercise=step01_generators/exercises/1z
mkdir $exercise && cp step01_generators/exercises/1a/README.md $exercise
sed -i 's/^# 1a/# 1z/' $exercise/README.md
cat >$exercise/exercise <<'TEXT'
kind fill in
minutes 5
program naturals
blank xrange.hpp: std::optional<int> resume() override {
  return std::nullopt;  // Your turn

  // and here
TEXT
cat >$exercise/test.cpp <<'TEXT'
#include <any_catch2.hpp>

#include "range_for.hpp"
#include "xrange.hpp"

TEST_CASE("an empty range yields no number") { REQUIRE_FALSE(Xrange(3, 1).valid()); }

TEST_CASE("a range yields every number from \"start\" & up to \"end\", and no number that is greater than \"end\"") {
  int sum = 0;
  for (const int number : Xrange(1, 3)) sum += number;
  REQUIRE(sum < 7);
  CHECK(sum == 6);
}
TEXT
expect 1 tools/exercise prove 1z
prints "1z: what is this?"
sed -i '/^$/,$d' $exercise/exercise
expect 0 tools/exercise prove 1z
prints "1z ok"
expect 0 ./learn exercise 1z
cp step01_generators/xrange.hpp work/1z
expect 0 ./learn check 1z
prints "test.cpp         ok     2 tests"
sed 's/i_ <= end_/i_ <= end_ + 1/' step01_generators/xrange.hpp >work/1z/xrange.hpp
sed -i 's/^program .*//; /^$/d' $exercise/exercise
expect 1 ./learn check 1z
prints 'test.cpp         FAIL   a range yields every number from "start" & up to "end",'
prints "work/1z/test.cpp:11: REQUIRE"
prints "10 < 7"
sed -i 's/int sum = 0;/int sum = 0; while (sum == 0) sum -= sum;/' work/1z/test.cpp
expect 1 env CHECK_SECONDS=1 ./learn check 1z
prints "it did not end"
rm -rf work/1z

# The proof notices what is wrong with an exercise: breaks SED-SCRIPT FILE WHAT-IT-SAYS.
breaks() {
  cp "$exercise/$2" "$scratch/kept"
  sed "$1" "$scratch/kept" >"$exercise/$2"
  expect 1 tools/exercise prove 1z
  prints "1z: $3"
  cp "$scratch/kept" "$exercise/$2"
}
breaks '/^minutes/d' exercise "how many minutes"
breaks 's/^kind .*/kind of/' exercise "of which kind"
breaks 's/Your turn/My turn/' exercise "nothing in what is handed out"
breaks 's/std::optional<int>/std::vector<int>/' exercise "it cannot be handed out"
breaks 's/xrange.hpp/nosuch.hpp/' exercise "it cannot be handed out"
breaks 's/return std::nullopt;/rubbish;/' exercise "unsolved, it must build and fail"
breaks '/^  /d; s/^blank.*/blank xrange.hpp: Xrange(int start\n  \/\/ Your turn/' exercise "it cannot be handed out"
breaks 's/^## Hint 2/## Hint two/' README.md "the README has no '## Hint 2'"
breaks 's/^## Afterwards/&\nSo.\n\n## Hint 4/' README.md "there is more"
breaks 's/sum == 6/sum == 7/' test.cpp "our solution must pass"
breaks 's/REQUIRE(sum < 7)//; s/CHECK(sum == 6)//' test.cpp "unsolved, it must build and fail"
rm -rf $exercise
breaks_other() {
  exercise=step01_generators/exercises/$1
  cp "$exercise/$2" "$scratch/kept"
  sed "$3" "$scratch/kept" >"$exercise/$2"
  expect 1 tools/exercise prove "$1"
  prints "$1: $4"
  cp "$scratch/kept" "$exercise/$2"
}
breaks_other 1c expected.txt 's/resume/rewind/' "the program does not print what is expected"
breaks_other 1d solution.patch 's/range_for.hpp/xrange.hpp/' "our solution cannot be made"
breaks_other 1a wrong_fixed_word.patch 's/"la"/(word_)/' "wrong_fixed_word must fail"
breaks_other 1a wrong_fixed_word.patch 's/"la"/nonsense/' "wrong_fixed_word must fail"
breaks_other 1a wrong_fixed_word.patch 's/  case/case/' "wrong_fixed_word cannot be made"

# All of them, as many at a time as there are processors.
expect 0 tools/exercise prove
for exercise in step0*/exercises/*; do prints "${exercise##*/} ok"; done
cat "$scratch/out"
finish
