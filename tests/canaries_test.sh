#!/bin/sh
# Each canary of step 8 finds its fault of g++ 12, and CMake tells which ones have found it.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
step=$root/step08_cpp20
cd "$scratch" || exit 2
export UBSAN_OPTIONS=halt_on_error=1

# is_right COMPILER FILE [OPTION]: does the compiler translate this file correctly?
is_right() {
  what="$1 $2"
  "$1" -std=c++20 ${3:+"$3"} "$2" -o canary && timeout 10 ./canary
} >out 2>err

clang=$(command -v clang++-19) || skip "what clang reports, because clang++-19 is not installed"

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
