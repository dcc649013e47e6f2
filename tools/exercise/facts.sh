# shellcheck shell=sh
# What is known of a stage or an exercise. Its name is what one types, m3 or 3a; its folder is, for example,
# your_scheduler/m03_queue_and_loop or step03_scheduler/exercises/3a.

stages() { printf '%s\n' your_scheduler/m*/facts | sed 's|.*/m0*\([0-9]*\)_.*|m\1|'; }
exercises() { printf '%s\n' step0*/exercises/*/facts | sed 's|/facts$||; s|.*/||'; }

# folder_of NAME: its folder; nothing if there is none.
folder_of() {
  case $1 in
  m[1-9]) set -- your_scheduler/m0"${1#m}"_* ;;
  m[1-9][0-9]) set -- your_scheduler/"$1"_* ;;
  [1-9][a-z]) set -- step0"${1%?}"_*/exercises/"$1" ;;
  esac
  [ ! -f "$1/facts" ] || echo "$1"
}

# fact FOLDER WORD
fact() { sed -n "s/^$2 //p" "$1/facts"; }

# The step that an exercise belongs to, or whose headers are our solution of a stage.
step_of() { case $1 in step0*) echo "${1%%/*}" ;; *) fact "$1" step ;; esac }

# The program that is built: one of its own, or one of the step.
program_of() { if [ -f "$1/program.cpp" ]; then echo program; else fact "$1" program; fi; }

# files_of VERSION FOLDER: the files that a version changes. The one that a reader begins with is called `given`.
files_of() { sed -nE "s/^(wrong|right|blank) $1 ([^ :+]*).*/\2/p" "$2/facts" | sort -u; }

# The files that the reader may change, because our solution changes them.
changeable() { files_of given "$1" && sed -n 's|^+++ b/||p' "$1/solutions/solution.patch" 2>/dev/null; }

# over_at FOLDER STAGE: do the tests of the stage in FOLDER end at STAGE or before, because it changes what they ask for?
over_at() {
  set -- "$(fact "$1" until)" "$2"
  [ -n "$1" ] && [ "${2#m}" -ge "${1#m}" ]
}

# standard_of FOLDER SOURCES: the standard in which the SOURCES are compiled. With FOLDER empty, they belong to no task.
standard_of() {
  set -- "$1" "$2" "$(sed -n 's/^-std=//p' "$2/compile_flags.txt" 2>/dev/null)"
  if [ -d "$2/coop" ]; then set -- '' '' c++20; fi
  [ -n "$3" ] || [ -z "$1" ] || set -- '' '' "$(fact "$1" standard)"
  echo "${3:-c++17}"
}

# A variable without a value has the same one in each run, and an empty std::optional isn't read.
repeatable() {
  "$(compiler)" -ftrivial-auto-var-init=pattern -fsyntax-only -x c++ /dev/null 2>/dev/null &&
    echo -ftrivial-auto-var-init=pattern
  echo -D_GLIBCXX_ASSERTIONS
}

# Of Catch2: the number of its edition, and its libraries.
catch2_major() { if has_header catch2/catch_all.hpp; then echo 3; else echo 2; fi; }
catch2_libraries() { if [ "$(catch2_major)" = 3 ]; then echo -lCatch2Main -lCatch2; else echo -lCatch2WithMain; fi; }

# The file that contains what the program must print: of the exercise, or of the step. A recipe (.make) prints it.
expected_file() {
  for file in "$1/expected.txt" "$(step_of "$1")/expected/$(program_of "$1").txt" "$(step_of "$1")/expected/$(program_of "$1").make"; do
    [ -f "$file" ] || continue
    echo "$file"
    return
  done
}

expected() {
  set -- "$(expected_file "$1")"
  case $1 in
  '') return 2 ;;
  *.make) sh "$1" ;;
  *) cat "$1" ;;
  esac
}
