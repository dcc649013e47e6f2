#!/bin/sh
# The compilers report each pitfall of step 8 in the words of its first lines, and each canary finds its fault of
# g++ 12.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
step=$root/step08_cpp20
cd "$scratch" || exit 2
LC_ALL=C ASAN_OPTIONS=exitcode=99:symbolize=0 UBSAN_OPTIONS=halt_on_error=1
export LC_ALL ASAN_OPTIONS UBSAN_OPTIONS

# is_quoted COMPILER NAME: the words are those of g++ 12 and clang 19. Other versions may print others.
is_quoted() {
  case "$2 $("$1" -dumpversion)" in "g++ 12" | "clang++ 19."*) ;; *) false ;; esac
}

# check_pitfall COMPILER NAME FILE: the compiler, AddressSanitizer or the program reports its mistake.
check_pitfall() {
  sed -n "s,^// $2 says: ,,p" "$3" >said
  sed -n "s,^// AddressSanitizer says: ,,p" "$3" >found
  sed -n "s,^// The program says: ,,p" "$3" >printed
  [ -s said ] || [ -s found ] || [ -s printed ] || complain "$3: promises nothing about $2"
  status=0 mode=-fsyntax-only program=$(basename "$3" .cpp)
  ! grep -q '^error: ' said || status=1
  [ ! -s found ] || mode="-fsanitize=address -o $program"
  [ ! -s printed ] || mode="-o $program"
  # shellcheck disable=SC2086 # a word for each option
  expect $status "$1" -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wshadow $mode "$3"
  if is_quoted "$1" "$2"; then
    while read -r fragment; do complains "$fragment"; done <said
    [ "$(grep -c ' warning: ' err)" -eq "$(grep -c '^warning: ' said)" ] ||
      complain "$what: another number of warnings"
  fi
  [ -s printed ] || [ -s found ] || return
  [ -s printed ] || status=99
  expect $status timeout 20 "./$program"
  while read -r fragment; do complains "$fragment"; done <printed
  while read -r fragment; do complains "ERROR: AddressSanitizer: $fragment"; done <found
}

# is_right COMPILER FILE [OPTION]: does the compiler translate this file correctly?
is_right() {
  what="$1 $2"
  "$1" -std=c++20 ${3:+"$3"} "$2" -o canary && timeout 10 ./canary
} >out 2>err

clang=$(command -v clang++-19) || skip "what clang reports, because clang++-19 is not installed"
for file in "$step"/pitfalls/*.cpp; do
  check_pitfall g++ g++ "$file"
  [ -z "$clang" ] || check_pitfall "$clang" clang++ "$file"
done

# clang translates each canary correctly, and sanitizers find nothing in it.
: >wrong
count=0
for file in "$step"/canaries/*.cpp; do
  count=$((count + 1))
  if [ -n "$clang" ]; then
    is_right "$clang" "$file" -fsanitize=address,undefined || complain "$what: not right"
  fi
  is_right g++ "$file" || basename "$file" >>wrong
  [ "$(g++ -dumpversion)" != 12 ] || grep -qx "$(basename "$file")" wrong ||
    complain "$what: right, so this canary warns of nothing"
done

# CMake prints how many are wrong.
expect 0 cmake -S "$step" -B build -D CMAKE_CXX_COMPILER=g++
prints "gets $(grep -c '' wrong) of $count shapes wrong"
sed -n 's/^  \([^ ]*\) (.*/\1/p' build/canaries.txt >told
cmp -s wrong told || complain "build/canaries.txt: not the canaries that are wrong"
finish
