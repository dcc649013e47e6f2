#!/bin/sh
# The exercises: each is proved; then what a learner meets on the way through one of each kind, and what
# happens to a work/ that is broken.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
copy_project

# All of them are proved in the meantime, as many at a time as there are processors, in a copy of its own.
cp -R . "$scratch/all"
(cd "$scratch/all" && tools/exercise prove >"$scratch/proved" 2>&1) &
proof=$!

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
expect 0 ./learn exercise 1a
prints "1a: A yield by hand"
prints "here:   work/1a/program.cpp:24"
prints "then:   ./learn check "
! grep -q 'Hint 1' "$scratch/out" work/1a/README.md || complain "the task gives the hints away"
expect 0 ./learn list
prints "exercises: 1a begun, 1b"

expect 1 ./learn check 1a
prints "first difference at line 1 of"
prints "    step01_generators/exercises/1a/expected.txt"
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
prints "then:   ./learn check"
[ "$(cat work/.current)" = 1a ] || complain "reset: 1a isn't the current exercise"
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
prints "test.cpp         ok     3 tests"
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
original=step01_generators/exercises/1a/program.cpp
broken() { sed "$1" $original >work/1a/program.cpp; }
is_narrow() { ! LC_ALL=C grep -q '.\{81\}' "$scratch/out" || complain "$what: wider than 80 columns"; }
broken 's|return word_;|/* a comment that is so long that the mistake is behind the column 80 */ return nonsense;|'
expect 2 ./learn check 1a
is_narrow
grep -q 'return nonsense;' "$scratch/out" || complain "the place of the error is cut off"
answers y 0 solution 1a
is_narrow
broken 's/return word_;/return times();/; s/^ private:/  std::string times();\n&/'
expect 2 ./learn check 1a
prints "it is declared, but its body is missing:"
prints "    Repeat::times()"
broken 's/state_ = State::yielded;//'
expect 1 env CHECK_SECONDS=1 ./learn check 1a
prints "endless loop"
broken 's/state_ = State::yielded;/i_ = 0; &/'
expect 1 ./learn check 1a
prints "its output is far too long (an endless loop?)"
prints "    >    4 | hey                              | la"
broken '1i #include <unistd.h>
s/return word_;/pause();/'
expect 1 env CHECK_SECONDS=1 ./learn check 1a
prints "it did not end within 1 seconds"
prints "    (an endless loop, or a wait that never ends?)"

# A crash: the line is shown. The undefined behaviour is the same in each run.
broken 's/return word_;/if (i_ == 1) { std::cout.flush(); std::abort(); } &/'
expect 1 ./learn check 1a
prints "it was stopped by signal ABRT"
prints "         1 | la                               | la"
prints "first difference at line 2 of"
prints "    work/1a/program.cpp:25: ABRT"
broken 's/int i_ = 0;/& int* where_ = nullptr;/; s/return word_;/*where_ = 1; &/'
expect 1 ./learn check 1a
prints "it was stopped by signal SEGV"
prints "    work/1a/program.cpp:25: store to null pointer of type 'int'"
broken 's/return word_;/throw std::string("no"); &/'
expect 1 ./learn check 1a
prints "    work/1a/program.cpp:25:"
prints "      'std::"
prints "is not caught"
broken 's/int i_ = 0;/& std::optional<std::string> empty_;/; s/return word_;/return *empty_;/'
expect 1 ./learn check 1a
prints "work/1a/program.cpp:25: Assertion"
! grep -q Assertion "$scratch/err" || complain "the assertion is also shown without the line"
broken 's/return word_;/return random_word(); &/; s/^ private:/&\nstd::string random_word() { int i; return std::to_string(i); }/'
expect 1 ./learn check 1a
prints "| -16843010"
expect 1 ./learn check 1a
prints "| -16843010"

# Blanks at the end of a line can be seen.
broken 's/return word_;/return word_ + " ";/'
expect 1 ./learn check 1a
prints '| "la "'

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
prints "test.cpp         FAIL   the tests"
prints "the program has ended in the middle of the tests"

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
prints "line 2 is not the last; more lines follow"
printf '# so\ncreated \n\nresume\nend\n' >work/1c/prediction.txt
expect 1 ./learn check 1c
prints 'line 5: "end" is not what comes here'
{ cat step01_generators/exercises/1c/expected.txt && echo more; } >work/1c/prediction.txt
expect 1 ./learn check 1c
prints "there are only 8 lines; yours has 9"
echo 'a "quoted" line of more than 23 letters' >work/1c/prediction.txt
expect 1 ./learn check 1c
prints "line 1: 'a \"quoted\" line of more than 23 letters'"
prints "    is not what comes here"
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
sed -i 's/^@@ -3,13 +3,13 @@/@@ -5,13 +5,13 @@/' step01_generators/exercises/1d/solution.patch
expect 0 ./learn solution 1d
prints "No line differs."
sed -i 's/^@@ -5,13 +5,13 @@/@@ -3,13 +3,13 @@/' step01_generators/exercises/1d/solution.patch

# Many checks at once don't disturb each other, and leave nothing.
expect 0 ./learn exercise 3b
cp -R work/3b "$scratch/before"
for n in 1 2 3 4 5 6; do
  rm -f work/3b/scheduler.hpp work/3b/task.hpp
  { ./learn check 3b >"$scratch/check$n" 2>&1 || echo "ends with $?" >>"$scratch/check$n"; } &
  checks="${checks-} $!"
done
# shellcheck disable=SC2086 # a word for each
wait $checks
for n in 1 2 3 4 5 6; do
  cp "$scratch/check$n" "$scratch/out"
  what="check $n of 6"
  prints 'first difference at line 1'
  prints 'ends with 1'
done
diff -r "$scratch/before" work/3b || complain "work/3b has changed"
[ -z "$(find work build/exercises -name '*3b?*')" ] || complain "files are left: $(find work build/exercises -name '*3b?*')"

# The original program and the original tests are used, not those of the learner.
echo 'int main() { }' >work/3b/two_tasks.cpp
: >work/3b/test.cpp
expect 1 ./learn check 3b
prints "two_tasks.cpp    note   this runs the original program, not yours"
prints "first difference at line 1"
cp step03_scheduler/scheduler.hpp work/3b
expect 0 ./learn check 3b
prints "test.cpp         note   this runs the original tests, not yours"
prints "test.cpp         ok     3 tests"
patch -s -p1 -d work/3b <step03_scheduler/exercises/3b/wrong_index_loop.patch
expect 1 ./learn check 3b
prints "two_tasks        ok     15 lines"
prints "test.cpp         FAIL   a finished coroutine is destroyed"

# An iterator that is no longer valid: the program only ends too early.
sed 's/while (!ready_.empty())/for (Task\& first : ready_)/; s/std::move(ready_.front())/std::move(first)/' \
  step03_scheduler/scheduler.hpp >work/3b/scheduler.hpp
expect 1 ./learn check 3b
prints "(the output has ended)"
prints "    work/3b/scheduler.hpp:22: attempt to"

# A warning is shown once, although the program and its tests include the file. Each line has 80 columns.
sed '1a inline int long_name_of_a_function(std::pair<int, int>) { std::pair<int, std::pair<int, int>> unused = 1; }' \
  step03_scheduler/scheduler.hpp >work/3b/scheduler.hpp
expect 2 ./learn check 3b
[ -z "$(awk 'length > 80 && !/^ *[0-9]* [|]/' "$scratch/out")" ] || complain "a line has more than 80 columns"
sed '1a inline int twice(int number) { int unused; return 2 * number; }' \
  step03_scheduler/scheduler.hpp >work/3b/scheduler.hpp
expect 0 ./learn check 3b
[ "$(grep -c 'warning: unused' "$scratch/out")" = 1 ] || complain "a warning is not shown once"

# A coroutine that g++ 12 may compile wrongly.
expect 0 ./learn exercise 8b
sed 's/^Coroutine<> echo/Coroutine<int> echo/; s/  co_await \(.*\);/  std::cout << co_await \1;/' \
  step08_cpp20/exercises/8b/program.cpp >work/8b/program.cpp
expect 1 ./learn check 8b
prints "coroutines       note   g++ 12 may compile this wrongly; chapter 8 says why"
prints "    work/8b/program.cpp:16:"

# A work/ that is no folder, or a file where the copy should be: nothing is lost.
mv work kept
echo precious >work
expect 2 ./learn exercise 1a
complains "/work cannot be written to"
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
prints "1z: these lines have no meaning:"
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
prints 'test.cpp         FAIL   a range yields every number from "start" & up to'
prints '                          "end", and no number that is greater than "end"'
prints "work/1z/test.cpp:11: REQUIRE"
prints "10 < 7"
sed 's/int i_ = 0;/& int* pointer_ = nullptr;/; s/state_ = State::yielded;/if (i_ == 3) *pointer_ = i_; &/' \
  step01_generators/xrange.hpp >work/1z/xrange.hpp
expect 1 ./learn check 1z
prints "stopped by signal SEGV"
prints "    work/1z/xrange.hpp:24: store to null pointer of type 'int'"
cp step01_generators/xrange.hpp work/1z
cp $exercise/test.cpp "$scratch/test.cpp"
sed -i 's/CHECK(sum == 6)/REQUIRE_THROWS(Xrange(1, 2))/' $exercise/test.cpp
expect 1 ./learn check 1z
prints "REQUIRE_THROWS"
prints "      nothing was thrown"
sed 's/sum < 7/throw_it()/; s/int sum = 0;/const auto throw_it = [] { throw std::string("no"); return true; }; &/' \
  "$scratch/test.cpp" >$exercise/test.cpp
expect 1 ./learn check 1z
! grep -q 'nothing was thrown' "$scratch/out" || complain "something was thrown"
sed 's/CHECK(sum == 6)/REQUIRE_THROWS_WITH(throw 1, "no")/; s/int sum/[[maybe_unused]] int sum/' \
  "$scratch/test.cpp" >$exercise/test.cpp
expect 1 ./learn check 1z
prints "the exception that was thrown isn't a std::exception"
! grep -q 'nothing was thrown' "$scratch/out" || complain "something was thrown"
cp "$scratch/test.cpp" $exercise/test.cpp
sed -i 's/int sum = 0;/int sum = 0; while (sum == 0) sum -= sum;/' $exercise/test.cpp
expect 1 env CHECK_SECONDS=1 ./learn check 1z
prints "it did not end"
cp "$scratch/test.cpp" $exercise/test.cpp
rm -rf work/1z

# The proof notices what is wrong with an exercise: breaks SED-SCRIPT FILE WHAT-IT-SAYS.
breaks() {
  cp "$exercise/$2" "$scratch/kept"
  sed "$1" "$scratch/kept" >"$exercise/$2"
  expect 1 tools/exercise prove 1z
  prints "1z: $3"
  cp "$scratch/kept" "$exercise/$2"
}
breaks '/^minutes/d' exercise "its minutes must be"
breaks 's/^kind .*/kind of/' exercise "its kind must be"
breaks 's/Your turn/My turn/' exercise "nothing in what is handed out"
breaks 's/std::optional<int>/std::vector<int>/' exercise "it cannot be handed out"
breaks 's/xrange.hpp/nosuch.hpp/' exercise "it cannot be handed out"
breaks 's/return std::nullopt;/rubbish;/' exercise "unsolved, it must build and fail"
breaks '/^  /d; s/^blank.*/blank xrange.hpp: Xrange(int start\n  \/\/ Your turn/' exercise "it cannot be handed out"
breaks 's/^## Hint 2/## Hint two/' README.md "the README has no '## Hint 2'"
breaks 's/^## Afterwards/&\nSo.\n\n## Hint 4/' README.md "the README has other parts"
breaks 's/^Only/& & & & & & & & & & & & & & & &/' README.md "the README has lines of more than 80 columns"
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
breaks_other 1a test.cpp d "it has no test, so a hard-coded output passes"
breaks_other 1a wrong_fixed_word.patch 's/"la"/(word_)/' "wrong_fixed_word must fail"
breaks_other 1a wrong_fixed_word.patch 's/"la"/nonsense/' "wrong_fixed_word must fail"
breaks_other 1d right_one_loop.patch 's/2 [*] top_ - i_/1/' "right_one_loop must pass"
breaks_other 1a wrong_fixed_word.patch 's/  case/case/' "wrong_fixed_word cannot be made"

expect 0 wait "$proof"
cat "$scratch/proved"
for exercise in step0*/exercises/*; do
  grep -qxF "${exercise##*/} ok" "$scratch/proved" || complain "${exercise##*/} is not proved"
done
finish
