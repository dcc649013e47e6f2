# shellcheck shell=sh
# What an exercise is: its facts, the learner's copy, and our solution. Sourced by tools/exercise/exercise.
# shellcheck disable=SC2034,SC2154 # shared with what sources this

fail() {
  echo "learn: $*" >&2
  exit 2
}

# need NEED...: installs what is missing of these; see tools/packages.
need() { ensure_packages "${LEARN_YES:-no}" "$@" || exit 2; }

# The numbers of all exercises, in order.
all() {
  for facts in step0*/exercises/*/facts; do
    facts=${facts%/facts}
    [ ! -f "$facts/facts" ] || echo "${facts##*/}"
  done
}

# What an exercise of the edition before is now: another exercise, or the stage that teaches the same.
now() {
  case $1 in
  1e) echo m1 ;;
  3b) echo 3a ;;
  3d) echo m3 ;;
  4c) echo 4b ;;
  4e) echo m5 ;;
  5c) echo m6 ;;
  7d) echo m10 ;;
  9b) ! grep -qs '^# 9b: A clean-up that waits' work/9b/README.md || echo 9a ;;
  9c) echo 9b ;;
  esac
}

# Everything about exercise $1 that the rest needs.
choose() {
  number=$1 folder=
  case $(now "$number") in
  '') ;;
  m*) fail "there is no exercise '$number' any longer; $(now "$number") teaches the same: ./learn next" ;;
  *) fail "exercise $number is $(now "$number") now; if you have begun it: mv work/$number work/$(now "$number")" ;;
  esac
  case $number in
  [1-9][a-z])
    step=$(echo "step0${number%?}"_*)
    folder=$step/exercises/$number
    ;;
  '') fail "which exercise? For example: ./learn exercise 3a; see ./learn list" ;;
  esac
  [ -f "$folder/facts" ] || fail "there is no exercise '$number'; see ./learn list"
  kind=$(fact kind) minutes=$(fact minutes) program=$(fact program)
  [ ! -f "$folder/program.cpp" ] || program=program
  copy=$work/$number
  standard=c++17
  case $step in step0[89]*) standard=c++20 ;; esac
}
fact() { sed -n "s/^$1 //p" "$folder/facts"; }
title() { sed -n "1s/^# $number: //p" "$folder/README.md"; }
# The part of the README under `## $1`, or in Chinese under the heading whose stamp says so; the task itself is what
# comes before the hints, without the link to the other language.
part() {
  awk -v name="$1" '
    /^## / { inside = $0 == "## " name; next }
    sub(/^<!-- en [^ ]* /, "") { inside = $0 == name " -->"; next }
    inside' "$(in_language "$folder/README.md")" | sed '/./,$!d'
}
task() { sed '/^## /,$d; /^<!-- en /d; /^English | /{N;d;}; /^\[English\]/{N;d;}' "$(in_language "$folder/README.md")"; }
blanked() { sed -n 's/^blank \([^:]*\):.*/\1/p' "$folder/facts" | sort -u; }
# The files that the learner may change, because our solution changes them.
changeable() { blanked && sed -n 's|^+++ b/||p' "$folder/solutions/solution.patch" 2>/dev/null; }

# For the language server of an editor (clangd), in work/4b. It decides about Catch2 as the check does.
compile_flags() {
  printf '%s\n' -std="$standard" -Wall -Wextra -I.
  [ ! -f "$folder/test.cpp" ] || {
    echo "-I../../$step/tests"
    if has_header catch2/catch_all.hpp; then echo -DCATCH2_MAJOR=3; else echo -DCATCH2_MAJOR=2; fi
  }
}

# Writes the learner's copy of the exercise into the new folder $1.
hand_out() {
  {
    mkdir "$1" && task >"$1/README.md" &&
      if [ -d "$step/coop" ]; then cp -R "$step/coop" "$1"; else cp "$step"/*.hpp "$1"; fi &&
      { [ ! -f "$step/$program.cpp" ] || cp "$step/$program.cpp" "$1"; }
  } || return 2
  for file in "$folder"/*.[hc]pp; do
    [ ! -f "$file" ] || cp "$file" "$1" || return 2
  done
  compile_flags >"$1/compile_flags.txt" || return 2
  blanked | while read -r file; do
    { [ -f "$1/$file" ] || fail "$folder/exercise: there is no $file"; } &&
      awk -v name="$file" -f tools/exercise/exercise_blank.awk "$folder/facts" "$1/$file" >"$1/blanked" &&
      mv "$1/blanked" "$1/$file" || exit 2
  done
}

# Turns what hand_out() has written into folder $1 into our solution.
solve() {
  case $kind in
  'change it')
    patch -s -F 0 -p1 -d "$1" <"$folder/solutions/solution.patch" && find "$1" -name '*.orig' -exec rm {} +
    ;;
  *)
    blanked | while read -r file; do
      ours=$folder/$file
      [ -f "$ours" ] || ours=$step/$file
      cp "$ours" "$1/$file" || exit 2
    done
    ;;
  esac
}

# The file that contains what the program must print: of the exercise, or of the step. A recipe
# (.make) prints it.
expected_file() {
  for file in "$folder/expected.txt" "$step/expected/$program.txt" "$step/expected/$program.make"; do
    [ -f "$file" ] || continue
    echo "$file"
    return
  done
}

expected() {
  file=$(expected_file)
  case $file in
  '') return 2 ;;
  *.make) sh "$file" ;;
  *) cat "$file" ;;
  esac
}
