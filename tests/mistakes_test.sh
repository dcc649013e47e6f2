#!/bin/sh
# mistakes_test.sh [COMPILER NAME]
#
# Builds each program of docs/mistakes/ and each pitfall of step 8, with the options in its first lines if there are any,
# with g++ and, if it is installed, with clang. Checks that the compiler, the program or a sanitizer prints what the first
# lines say. Also checks that docs/mistakes.md quotes all of this, and that each line of its code is in one of the programs.
#
# With COMPILER (g++, clang++-19) and the NAME that the programs use for it (g++, clang++), checks
# only the programs, with this compiler only.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
page=$root/docs/mistakes.md
LC_ALL=C ASAN_OPTIONS=exitcode=99:symbolize=0
export LC_ALL ASAN_OPTIONS

# promised WHAT: prints the lines of $file that begin with `// WHAT: `.
promised() { sed -n "s,^// $1: ,,p" "$file"; }

# is_quoted COMPILER NAME: a pitfall's words are those of g++ 12 and clang 19. Other versions may print others.
is_quoted() {
  case "$file $2 $("$1" -dumpversion)" in */mistakes/* | *" g++ 12" | *" clang++ 19."*) ;; *) false ;; esac
}

# check_mistake COMPILER NAME: builds and runs $file, and checks what its first lines promise.
check_mistake() {
  promised "$2 says" >said
  promised 'It prints' >printed
  promised '\(It complains\|The program says\|[A-Z][a-z]*Sanitizer says\)' >complained
  [ -s said ] || [ -s printed ] || [ -s complained ] || complain "$file: promises nothing about $2"
  status=0 compile_only=-fsyntax-only
  ! grep -q ' says: error: ' "$file" || status=1
  ! grep -q '^int main' "$file" || compile_only=
  options=$(promised Build)
  [ -n "$options" ] || options="-std=c++20 -Wpedantic -Wconversion -Wshadow $(
    ! grep -q 'Sanitizer says' "$file" || echo -fsanitize=address)"
  # shellcheck disable=SC2086 # a word for each option
  expect $status "$1" $options -Wall -Wextra $compile_only -o mistake "$file"
  if is_quoted "$1" "$2"; then
    while read -r fragment; do complains "$fragment"; done <said
    [ "${file%/pitfalls/*}" = "$file" ] || [ "$(grep -c ' warning: ' "$scratch/err")" -eq "$(grep -c '^warning: ' said)" ] ||
      complain "$what: another number of warnings"
  fi
  [ -z "$compile_only" ] || return
  status=$(promised 'It ends with')
  ! grep -q 'Sanitizer says' "$file" || status=99
  limit=60
  [ "$status" != 124 ] || limit=5 # it never ends
  expect "${status:-0}" timeout $limit ./mistake
  [ ! -s printed ] || cmp -s printed "$scratch/out" || complain "$what: prints something else"
  while read -r fragment; do complains "$fragment"; done <complained
}

if [ $# -eq 2 ]; then
  cd "$scratch" || exit 2
  for file in "$root"/docs/mistakes/*.cpp "$root"/step08_cpp20/pitfalls/*.cpp; do
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

[ -n "$clang" ] || skip "what clang reports, because it is not installed, or has no coroutines or sanitizers"
"$0" g++ g++ &
[ -z "$clang" ] || "$0" "$clang" clang++ || failures=1
wait $! || failures=1

# The page quotes the programs.
what=$page
: >"$scratch/out"
: >"$scratch/err"
for file in "$root"/docs/mistakes/*.cpp; do
  grep -qF "(mistakes/$(basename "$file"))" "$page" || complain "$file: not in the page"
  promised '[A-Za-z+ ]* \(says\|prints\|complains\)' >"$scratch/quotes"
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
