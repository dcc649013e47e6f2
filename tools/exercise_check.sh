# shellcheck shell=sh
# Builds and runs what is in the learner's folder. Sourced by tools/exercise.
# shellcheck disable=SC2034,SC2154 # shared with what sources this

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

# The first error in the log (if there is none, the first warning) with the code it shows. If it is in a
# file of others, then also which line of the learner has led there.
first_message() {
  for word in 'error:' 'undefined reference' 'error' 'warning:'; do
    grep -q "$word" "$log" || continue
    grep -m 1 "$word" "$log" | grep -q "$copy/" ||
      awk -v at="$copy/" -v word="$word" 'index($0, word) { exit } index($0, at) { last = $0 }
        END { if (last) print last }' "$log"
    grep -m 1 -A 2 "$word" "$log"
    return
  done
}

# Step 9 is a library, too; it is compiled in one piece, and again when the learner has changed it.
compile_library() {
  library=
  [ -d "$copy/coop" ] || return 0
  library=$built/coop.o
  if [ -e "$library" ] && [ -z "$(find "$copy/coop" -newer "$library")" ]; then return 0; fi
  rm -f "$library"
  (cd "$copy" && printf '#include "%s"\n' coop/*.cpp coop/uv/*.cpp) >"$built/coop.cpp"
  compile coop -w -c "$built/coop.cpp" -o "$library"
}

# build FILE BINARY [OPTION...] [LIBRARY...]
build() {
  source=$1 binary=$2
  shift 2
  # shellcheck disable=SC2086 # words of their own
  compile "$source" $warnings -I cmake "$copy/$source" -o "$binary" ${library:+"$library" -luv} "$@"
}

check_program() {
  build "$program.cpp" "$built/$program" || return
  recorded=$(dirname "$(recorded_file)")
  mkdir "$built/expected"
  for file in "$recorded"/*.run "$recorded"/*_request.txt; do
    [ ! -f "$file" ] || cp "$file" "$built/expected"
  done
  [ ! -f "$folder/expected.run" ] || cp "$folder/expected.run" "$built/expected/$program.run"
  expected >"$built/expected/$program.txt" || return
  if [ -e "$built/expected/$program.run" ] && [ ! -e "$built/tcp_client" ]; then
    "$(compiler)" -std=c++17 tools/tcp_client.cpp -o "$built/tcp_client" || return 2
  fi
  CHECK_SECONDS=10 tools/check "$built" "$built" "$program" >"$built/said"
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
  build test.cpp "$built/test" -DCATCH2_MAJOR=$major $catch2 || return
  limit=
  ! timeout --foreground 1 true 2>/dev/null || limit='timeout --foreground 10' # macOS has no timeout
  (
    ulimit -f 100000
    # shellcheck disable=SC3045 # dash, bash, ksh and busybox all have -t
    ulimit -t 20
    # shellcheck disable=SC2086 # words of their own
    exec $limit "$built/test" --reporter xml --abort
  ) >"$built/report" 2>"$built/said" </dev/null
  awk -v status=$? -f tools/exercise_tests.awk "$built/report"
}

# Compares the lines that the learner expects with those that come. What is right is not given away.
check_prediction() {
  sed '/^#/d; s/[[:space:]]*$//; /^$/d' "$copy/prediction.txt" >"$built/predicted"
  expected | sed 's/[[:space:]]*$//; /^$/d' |
    awk '
      function fails(text) {
        printf "  prediction.txt   FAIL   %s\n", text
        failed = 1
        exit 1
      }
      NR == FNR { line[++n] = $0; next }
      FNR > n { fails(n ? "after these " n " lines come more" : "write down what it prints") }
      $0 "" != line[FNR] { fails("line " FNR " is not: " line[FNR]) }
      END {
        if (failed) exit 1
        if (FNR < n) fails("there are only " FNR " lines; yours has " n)
        printf "  prediction.txt   ok     all %d lines\n", n
      }' "$built/predicted" -
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
