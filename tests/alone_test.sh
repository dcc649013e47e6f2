#!/bin/sh
# A copy of each step, or of one, in an empty folder is complete.
#
#   alone_test.sh [step0N]            its notes have a g++ line for each program, and the lines work
#   alone_test.sh [step0N] --build    CMake builds it, and its tests pass; other words are passed on to cmake,
#                                     for example -DCMAKE_CXX_COMPILER=clang++
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"

steps=step0
case ${1-} in step0*) steps=$1 && shift ;; esac
build=no
if [ "${1:-}" = --build ]; then
  build=yes
  shift
fi

export CCACHE_BASEDIR="$scratch/alone" # so that ccache finds the results of other copies
for folder in "$root/$steps"*; do
  step=$(basename "$folder")
  mkdir "$scratch/alone"
  (cd "$folder/.." && tar cf - "$step") | (cd "$scratch/alone" && tar xf -)
  cd "$scratch/alone/$step" || exit 2
  # `../..` leaves the step, and so does `..` in its upper folder.
  ! grep -n '^#include ".*\(\.\./\.\./\|step0\)' -r . --include='*.[ch]pp' --exclude-dir=exercises ||
    complain "$step includes a file of another step"
  ! grep -n '^#include "\.\./' ./*.[ch]pp 2>/dev/null || complain "$step includes a file of another step"
  if [ $build = yes ]; then
    expect 0 cmake -S . -B build "$@"
    expect 0 cmake --build build -j "$(getconf _NPROCESSORS_ONLN)"
    expect 0 ctest --test-dir build --output-on-failure --no-tests=error -j "$(getconf _NPROCESSORS_ONLN)"
    tail -n 8 "$scratch/out" | sed -n "s/^\(100% tests passed.*\)/$step: \1/p"
    cd "$root" && rm -rf "$scratch/alone"
    continue
  fi

  # The g++ lines, as a reader types them. If lines differ only in the name of the program, only the first one runs.
  cd "$scratch/alone" && mkdir -p build || exit 2
  cat "$step/notes.md" "$step/reference.md" >"$scratch/pages" 2>/dev/null
  for program in "$root/$step"/*.cpp "$root/$step"/programs/*.cpp "$root/$step"/tools/*.cpp; do
    [ -f "$program" ] || continue
    name=$(basename "$program" .cpp)
    grep -q "^g++ .*/$name.cpp \(.* \)\?-o build/$name\$" "$scratch/pages" || complain "$step/notes.md has no g++ line for $name"
  done
  sed -n '/^g++ /p' "$scratch/pages" >"$scratch/lines"
  : >"$scratch/tried"
  while read -r line; do
    kind=$(echo "$line" | sed 's:/\([a-z_0-9]*\)[.]cpp \(.*\)-o build/\1$:/NAME.cpp \2-o build/NAME:')
    grep -qxF -e "$kind" "$scratch/tried" && continue
    echo "$kind" >>"$scratch/tried"
    expect 0 sh -c "$line"
    [ ! -s "$scratch/err" ] || complain "$line: warnings"
    case $line in *' -o '*) [ -x "${line##* }" ] || complain "$line: no program" ;; esac
  done <"$scratch/lines"
  cd "$root" && rm -rf "$scratch/alone"
done
finish
