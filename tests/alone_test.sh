#!/bin/sh
# Each step stands alone: its folder configures and builds by itself, and each g++ line of a chapter
# works as it is typed.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
copy_project

for step in step0*_*; do
  short=$(echo "$step" | cut -c 1-6)
  expect 0 cmake -S "$step" -B "build/$short"
  expect 0 cmake --build "build/$short" --target "$short"
  for program in "$step"/*.cpp; do
    name=$(basename "$program" .cpp)
    expect 0 tools/check "$step" "build/$short" "$name"
    grep -q "^g++ .* $step/$name.cpp -o $name\$" "$step/README.md" ||
      complain "no g++ line for $name in $step/README.md"
  done
  sed -n '/^g++ /p' "$step/README.md" >"$scratch/lines"
  while read -r line; do
    expect 0 sh -c "$line"
    [ ! -s "$scratch/err" ] || complain "$line: warnings"
    [ -x "${line##* }" ] || complain "$line: no program"
  done <"$scratch/lines"
done
grep -rn '#include "[^"]*/' step0*_*/*.hpp step0*_*/*.cpp && complain "an #include leaves its folder"
finish
