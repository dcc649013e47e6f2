# shellcheck shell=sh
# Proves an exercise. Sourced by tools/exercise/exercise.
# shellcheck disable=SC2034,SC2154 # shared with what sources this

# All of it happens in a folder of its own, so that many can be proved at once. With --new, only what was not proved
# with the same files.
prove() {
  choose "$1"
  out=$out/prove
  scratch=$out/$number
  { rm -rf "$scratch" && mkdir -p "$scratch"; } || exit 2
  copy=$scratch/$number built=$scratch/built
  warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
  : >"$scratch/said"
  case $kind:$minutes in
  'fill in':[1-9]* | 'change it':[1-9]*) ;;
  *) wrong "its kind must be 'fill in' or 'change it', and its minutes a number" ;;
  esac
  [ "$(title | wc -l) $(sed -n 's/^## //p' "$folder/README.md" | xargs)" = '1 Hint 1 Hint 2 Hint 3 Afterwards' ] ||
    wrong "the README must begin with '# $number: Title', and have the parts Hint 1, Hint 2, Hint 3 and Afterwards"
  ! grep -n '.\{81\}' "$folder/README.md" >"$scratch/said" || wrong "the README has lines of more than 80 columns"
  mkdir -p "$scratch/inputs/step"
  cp -R "$step"/*.[hc]pp "$step/coop" "$step"/expected/*.txt "$step"/expected/*.make "$scratch/inputs/step" 2>/dev/null
  is_new || return 0

  hand_out "$copy" >"$scratch/said" 2>&1 || wrong "the learner's copy cannot be made"
  [ "$kind" != 'fill in' ] || grep -q -r 'Your turn' "$copy" ||
    wrong "nothing in the learner's copy says 'Your turn'"
  [ -f "$folder/test.cpp" ] || wrong "it has no test.cpp, so a hard-coded output passes"
  precompile
  cheat
  prove_judged 1 "unsolved, it must build and fail, even if main() prints the expected output"
  make_solution
  with_headers=$extra extra='' # all headers must be included
  prove_judged 0 "our solution must pass"
  extra=$with_headers order='check_tests check_program' # because the tests notice most mistakes
  for version in $(versions wrong "$folder/facts"); do
    make_solution && make_version "$version" "$folder/facts"
    prove_judged 1 "$version must fail"
  done
  for version in $(versions right "$folder/facts"); do
    make_solution && make_version "$version" "$folder/facts"
    prove_judged 0 "$version must pass"
  done
  extra=
  is_proved
  echo "$number ok"
}

# Adds to $scratch/inputs what each proof needs. With --new, was it proved with other files?
is_new() {
  cp -R "$folder" "$scratch/inputs/own"
  rm -f "$scratch"/inputs/own/README*
  mkdir "$scratch/inputs/tools"
  cp "$step"/tests/*.hpp "$step"/tools/*.cpp "$scratch/inputs/tools" 2>/dev/null
  cp tools/exercise/mine tools/exercise/exercise.sh tools/exercise/exercise_check.sh tools/exercise/exercise_prove.sh \
    tools/exercise/version.awk tools/exercise/exercise_blank.awk tools/learn/check tools/learn/first_difference.awk tools/learn/setup.sh "$scratch/inputs/tools"
  [ -n "$new" ] || return 0
  tools/keep/proved.py new "$number" "$scratch/inputs"
  [ $? -ne 3 ]
}

is_proved() { [ ! -x /usr/bin/python3 ] || tools/keep/proved.py add "$number" "$scratch/inputs"; }

wrong() {
  echo "$number: $*"
  [ ! -s "$scratch/said" ] || cat "$scratch/said"
  exit 1
}

# prove_judged STATUS MESSAGE: what must pass may take ten times as long, on a loaded machine.
prove_judged() {
  seconds=$CHECK_SECONDS
  [ "$1" -ne 0 ] || CHECK_SECONDS=${seconds}0
  { rm -rf "$built" && mkdir -p "$built" && judge; } >"$scratch/said" 2>&1
  [ $? -eq "$1" ] || wrong "$2"
  CHECK_SECONDS=$seconds
}

make_solution() {
  { rm -rf "$copy" && hand_out "$copy" && solve "$copy"; } >"$scratch/said" 2>&1 || wrong "our solution cannot be made"
}

# Changes what the learner must not change: main() prints the expected output, and there are no tests.
cheat() {
  : >"$copy/test.cpp"
  [ -n "$program" ] || return 0
  expected >"$scratch/expected" || wrong "there is no expected output"
  {
    without_main "$copy/$program.cpp"
    printf '#include <cstdlib>\nint main() { return std::system("cat %s"); }\n' "$(pwd)/$scratch/expected"
  } >"$scratch/cheat" && mv "$scratch/cheat" "$copy/$program.cpp"
}

# The versions of our solution that are known to be `wrong` or `right`: versions wrong FACTS.
versions() { sed -n "s/^$1 \([^ ]*\) .*/\1/p" "$2" | sort -u; }

# make_version NAME FACTS: turns our solution, which is in $copy, into this version.
make_version() {
  # shellcheck disable=SC2013 # a word a line
  for file in $(sed -nE "s/^(wrong|right) $1 ([^ :+]*).*/\2/p" "$2" | sort -u); do
    awk -v name="$1" -v file="$file" -f tools/exercise/version.awk "$2" "$copy/$file" >"$scratch/changed" 2>"$scratch/said" ||
      wrong "$1 cannot be made"
    ! cmp -s "$scratch/changed" "$copy/$file" || wrong "$1 changes nothing"
    cp "$scratch/changed" "$copy/$file"
  done
}

# Compiles the headers that take longest, once for all exercises.
precompile() {
  header=$out/$standard/headers.hpp log=$scratch/said
  find_repeatable
  if [ ! -e "$header.gch" ]; then
    find_catch2
    mkdir -p "$out/$standard"
    printf '#include <%s>\n' any chrono deque functional iostream map memory optional string unordered_map \
      variant vector catch2/catch"$([ "$major" = 2 ] || echo _all)".hpp >"$header"
    # shellcheck disable=SC2086 # words of their own
    { ${CMAKE_CXX_COMPILER_LAUNCHER:-} "$(compiler)" -std=$standard -O0 $repeatable $warnings -x c++-header \
      "$header" -o "$scratch/headers" && mv "$scratch/headers" "$header.gch"; } >"$log" 2>&1 ||
      wrong "$header cannot be compiled"
  fi
  extra="-include $header"
}

# All, or those that are named; as many at a time as there are processors.
prove_all() {
  if [ $# -eq 0 ]; then all; else printf '%s\n' "$@"; fi |
    xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 1 tools/exercise/exercise prove ${new:+"$new"} || exit 1
}
