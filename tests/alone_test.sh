#!/bin/sh
# alone_test.sh [STEPS]: each step stands alone: its folder configures and builds by itself, and the
# g++ lines of a chapter work as they are typed. Of lines that differ in the program's name only, the
# first one is tried. STEPS is a pattern such as step0[1-6].
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
copy_project

# shellcheck disable=SC2231 # it is a pattern
for step in ${1:-step0*}_*; do
  short=$(echo "$step" | cut -c 1-6)
  expect 0 cmake -S "$step" -B "build/$short"
  first=$(sed -n '/^g++ .* -o /{s/.* //p;q}' "$step/README.md")
  if [ "$short" != step09 ]; then # its library is built below, and once is enough
    expect 0 cmake --build "build/$short" --target "${short}_$first"
    [ "$first" = web_server ] || expect 0 tools/check "$step" "build/$short" "$first" # it needs a client
  fi
  for program in "$step"/*.cpp; do
    name=$(basename "$program" .cpp)
    grep -q "^g++ .* $step/$name.cpp \(.* \)\?-o $name\$" "$step/README.md" ||
      complain "no g++ line for $name in $step/README.md"
  done
  sed -n '/&&/d; /^g++ /p' "$step/README.md" >"$scratch/lines"
  : >"$scratch/tried"
  while read -r line; do
    kind=$(echo "$line" | sed 's:/\([a-z_0-9]*\)[.]cpp \(.*\)-o \1$:/NAME.cpp \2-o NAME:')
    grep -qxF -e "$kind" "$scratch/tried" && continue
    echo "$kind" >>"$scratch/tried"
    expect 0 sh -c "$line"
    [ ! -s "$scratch/err" ] || complain "$line: warnings"
    case $line in *' -o '*) [ -x "${line##* }" ] || complain "$line: no program" ;; esac
  done <"$scratch/lines"
done

# What the steps with servers share in their tests is the same, too.
for file in web_server_test.cpp peer.hpp server_process.hpp; do
  for copy in step0[679]*/tests/"$file"; do
    case $copy in step09*/web_server_test.cpp) continue ;; esac
    cmp -s "step05_nonblocking_io/tests/$file" "$copy" || complain "$copy differs from that of step 5"
  done
done
cmp -s step06_stacked/tests/echo_server_test.cpp step07_errors/tests/echo_server_test.cpp ||
  complain "echo_server_test.cpp differs"

grep -n '#include "\(\.\.\|step0\)' step0*_*/*.[hc]pp && complain "an #include leaves its folder"
finish
