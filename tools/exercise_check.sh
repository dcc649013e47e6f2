# shellcheck shell=sh
# Builds and runs what is in the learner's folder. Sourced by tools/exercise.
# shellcheck disable=SC2034,SC2154 # shared with what sources this

# What is linked to a program: the library of step 9, and Catch2 to the tests.
library='' catch2=''

# Runs the compiler with these words; shows its first error, or its first warning, of the file $1.
compile() {
  name=$1 log=$built/log
  shift
  # shellcheck disable=SC2086 # words of their own
  ${CMAKE_CXX_COMPILER_LAUNCHER:-} "$(compiler)" -std=$standard -O0 -I "$copy" "$@" >"$log" 2>&1
  status=$?
  [ $status -eq 0 ] || printf '  %-16s FAIL   it does not compile\n' "$name"
  first_message | sed 's/^/    /'
  [ $status -eq 0 ] || return 2
}

# The first error in the log (if there is none, the first warning) with the code it shows, and the note
# on it, if that is about the learner's files. If it is in a file of others, then also which line of the
# learner has led there.
first_message() {
  for word in 'error:' 'undefined reference' 'error' 'warning:'; do
    grep -q "$word" "$log" || continue
    grep -m 1 "$word" "$log" | grep -q "$copy/" ||
      awk -v at="$copy/" -v word="$word" 'index($0, word) { exit } index($0, at) { last = $0 }
        END { if (last) print last }' "$log"
    awk -v at="$copy/" -v word="$word" '
      told && (/ (error|warning): / || / note: / && !index($0, at)) { exit }
      !told && index($0, word) || told == 1 && / note: / { told++; left = 3 }
      left-- > 0' "$log"
    return
  done
}

# Step 9 is a library, too; it is compiled in one piece. As long as the learner has not changed it, one
# is enough for all exercises.
compile_library() {
  library=
  [ -d "$copy/coop" ] || return 0
  library=$built/coop.o sources=$copy/coop
  ! diff -r "$step/coop" "$copy/coop" >"$built/log" || library=$out/coop.o sources=$step/coop
  if [ -e "$library" ] && [ -z "$(find "$sources" -newer "$library")" ]; then return 0; fi
  (cd "$copy" && printf '#include "%s"\n' coop/*.cpp coop/uv/*.cpp) >"$built/coop.cpp"
  compile coop -w -c "$built/coop.cpp" -o "$built/coop.new" && mv "$built/coop.new" "$library"
}

# build FILE BINARY [OPTION...]
build() {
  source=$1 binary=$2
  shift 2
  # shellcheck disable=SC2086 # words of their own
  compile "$source" $warnings -I "$step/tests" "$@" -c "$copy/$source" -o "$binary.o" &&
    compile "$source" "$binary.o" ${library:+"$library" -luv} $catch2 -o "$binary"
}

check_program() {
  build "$program.cpp" "$built/$program" || return
  mkdir "$built/expected"
  [ ! -d "$step/expected" ] || cp "$step"/expected/* "$built/expected"
  [ ! -f "$folder/expected.run" ] || cp "$folder/expected.run" "$built/expected/$program.run"
  expected >"$built/expected/$program.txt" || return
  rm -f "$built/expected/$program.make"
  if [ -e "$built/expected/$program.run" ] && [ -f "$step/client.cpp" ] && [ ! -e "$built/client" ]; then
    "$(compiler)" -std="$standard" "$step/client.cpp" -o "$built/client" || return 2
  fi
  tools/check "$built" "$built" "$program" >"$built/said"
  status=$?
  sed "s|$number/expected/$program.txt|$(expected_file)|" "$built/said"
  return $status
}

# Shows the first test that fails, in its own words.
check_tests() {
  catch2="-lCatch2Main -lCatch2" major=3
  if ! printf '#include <catch2/catch_all.hpp>\n' | "$(compiler)" -E -x c++ - >"$built/log" 2>&1; then
    catch2=-lCatch2WithMain major=2
  fi
  # shellcheck disable=SC2086 # words of their own
  build test.cpp "$built/test" -DCATCH2_MAJOR=$major || return
  limit=
  ! timeout --foreground 1 true 2>/dev/null || limit="timeout --foreground $CHECK_SECONDS" # macOS has no timeout
  (
    ulimit -f 100000
    # shellcheck disable=SC3045 # dash, bash, ksh and busybox all have -t
    ulimit -t $((2 * CHECK_SECONDS))
    # shellcheck disable=SC2086 # words of their own
    exec $limit "$built/test" --reporter xml --abort
  ) >"$built/report" 2>"$built/said" </dev/null
  awk -v status=$? -f tools/exercise_tests.awk "$built/report"
}

# Compares the lines that the learner expects with those that come. What is right is not given away.
check_prediction() {
  sed '/^#/d; s/^[[:space:]]*//; s/[[:space:]]*$//; /^$/d' "$copy/prediction.txt" >"$built/predicted"
  expected | sed 's/^[[:space:]]*//; s/[[:space:]]*$//; /^$/d' |
    awk -v predicted="$built/predicted" '
      function fails(text) {
        printf "  prediction.txt   FAIL   %s\n", text
        failed = 1
        exit 1
      }
      BEGIN {
        while ((getline text <predicted) > 0) line[++n] = text
        if (n == 0) fails("write down what it prints")
      }
      NR > n { fails("line " n " of your answer is not the last; more come") }
      $0 "" != line[NR] { fails("line " NR " of your answer is not: " line[NR]) }
      END {
        if (failed) exit 1
        if (NR < n) fails("there are only " NR " lines; yours has " n)
        printf "  prediction.txt   ok     all %d lines\n", n
      }'
}

checks() {
  { mkdir -p "$built" && rm -rf "$built/expected"; } 2>/dev/null || fail "cannot write into $built"
  if [ "$kind" = predict ]; then
    check_prediction
    return
  fi
  compile_library || return
  [ -z "$program" ] || check_program || return
  [ ! -f "$folder/test.cpp" ] || check_tests
}
