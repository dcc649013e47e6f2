#!/bin/sh
# mistakes_test.sh [COMPILER NAME]
#
# The mistakes of docs/mistakes.md are real: each program of docs/mistakes/ is built as its first lines
# say, with g++ and, if it is here, with clang, and is an error, a warning, or goes wrong as promised.
# The page quotes all that is promised, and shows no code that is not in the programs.
#
# With COMPILER (g++, clang++-19) and the NAME that the programs call it by (g++, clang++): only the
# programs, only with that one.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
page=$root/docs/mistakes.md
LC_ALL=C ASAN_OPTIONS=exitcode=99:symbolize=0
export LC_ALL ASAN_OPTIONS

# promised WHAT: these lines at the top of $file.
promised() { sed -n "s,^// $1: ,,p" "$file"; }

# check_mistake COMPILER NAME: $file goes wrong with it as promised to those of that name.
check_mistake() {
  promised "$2 says" >said
  promised 'It prints' >printed
  promised '[A-Z][a-z]*Sanitizer says' >found
  promised 'It complains' >complained
  status=0 compile_only=-fsyntax-only
  ! grep -q ' says: error: ' "$file" || status=1
  ! grep -q '^int main' "$file" || compile_only=
  # shellcheck disable=SC2046,SC2086 # a word for each option
  expect $status "$1" $(promised Build) -Wall -Wextra $compile_only -o mistake "$file"
  while read -r fragment; do complains "$fragment"; done <said
  [ -z "$compile_only" ] || return
  status=$(promised 'It ends with')
  [ ! -s found ] || status=99
  limit=60
  [ "$status" != 124 ] || limit=5 # it waits for ever
  expect "${status:-0}" timeout $limit ./mistake
  [ ! -s printed ] || cmp -s printed "$scratch/out" || complain "$what: prints something else"
  while read -r fragment; do complains "$fragment"; done <found
  while read -r fragment; do complains "$fragment"; done <complained
}

if [ $# -eq 2 ]; then
  cd "$scratch" || exit 2
  for file in "$root"/docs/mistakes/*.cpp; do
    check_mistake "$1" "$2"
  done
  finish
fi

clang=
for compiler in clang++-19 clang++; do
  if printf '#include <coroutine>\nint main() {}\n' |
    $compiler -std=c++20 -fsanitize=address -x c++ - -o "$scratch/empty" 2>/dev/null; then
    clang=$compiler
    break
  fi
done

"$0" g++ g++ &
[ -z "$clang" ] || "$0" "$clang" clang++ || failures=1
wait $! || failures=1

# The page and the programs say the same.
what=$page
: >"$scratch/out"
: >"$scratch/err"
for file in "$root"/docs/mistakes/*.cpp; do
  grep -qF "(mistakes/$(basename "$file"))" "$page" || complain "$file: not in the page"
  promised '[A-Za-z+ ]* \(says\|prints\|complains\)' >"$scratch/quotes"
  [ -s "$scratch/quotes" ] || complain "$file: promises nothing"
  while read -r quote; do
    grep -qF -e "$quote" "$page" || complain "$file: the page does not quote '$quote'"
  done <"$scratch/quotes"
done
sed -n "/^\`\`\`cpp/,/^\`\`\`/ { /^\`/d; s/^ *//; /./p; }" "$page" >"$scratch/code"
[ -s "$scratch/code" ] || complain "$page: shows no code"
cat "$root"/docs/mistakes/*.cpp >"$scratch/programs"
while read -r line; do
  grep -qF -e "$line" "$scratch/programs" || complain "$page: no program has '$line'"
done <"$scratch/code"
finish
