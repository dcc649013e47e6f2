# shellcheck shell=sh
# Builds and runs what is in the learner's folder. Sourced by tools/exercise/exercise.
# shellcheck disable=SC2034,SC2154 # shared with what sources this

# The library of step 9, Catch2, options that make a run repeatable, and what tools/exercise/exercise_prove.sh changes.
library='' catch2='' repeatable='' extra='' told='' order='check_program check_tests'

# A sign of life, on a terminal, while something takes long.
alive() { [ ! -t 2 ] || [ "${TERM-dumb}" = dumb ] || printf '\r\033[K%s' "$*" >&2; }

# Runs the compiler with these words; shows its first error, or its first warning, of the file $1.
compile() {
  name=$1 log=$built/log
  shift
  [ -n "$repeatable" ] || find_repeatable
  alive "  compiling $name ..."
  # shellcheck disable=SC2086 # words of their own
  ${CMAKE_CXX_COMPILER_LAUNCHER:-} "$(compiler)" -std=$standard -O0 -fmessage-length=76 $repeatable ${extra:--g} -I "$copy" "$@" \
    >"$log" 2>&1
  status=$?
  alive
  missing=$(missing_names | sed 's/^/    /')
  if [ $status -ne 0 ] && [ -n "$missing" ]; then
    printf '  %-16s FAIL   it is declared, but its body is missing:\n%s\n' "$name" "$missing"
    return 2
  fi
  [ $status -eq 0 ] || printf '  %-16s FAIL   it does not compile\n' "$name"
  message=$(first_message)
  if [ -n "$message" ] && [ "$message" != "$told" ]; then
    told=$message # the program and its tests have the same warning
    printf '%s\n' "$message"
  fi
  [ $status -eq 0 ] || return 2
}

# A variable without a value has the same one in each run, and an empty std::optional isn't read.
find_repeatable() {
  repeatable='-D_GLIBCXX_ASSERTIONS -ftrivial-auto-var-init=pattern'
  # shellcheck disable=SC2086 # words of their own
  "$(compiler)" $repeatable -fsyntax-only -x c++ /dev/null 2>"$log" || repeatable=-D_GLIBCXX_ASSERTIONS
}

# What the linker has not found.
missing_names() {
  sed -n -e "s/.*undefined reference to [\`']\(.*\)'.*/\1/p" -e 's/.*undefined symbol: //p' "$log" |
    sed 's/\[abi:[^]]*\]//g' | sort -u
}

# The first error in the log (if there is none, the first warning) with the code it shows, and the note on it, if that
# is about the learner's files. If it is in a file of others, then also which line of the learner has led there. g++
# also wraps the code; the rest of such a line isn't shown.
first_message() {
  for word in 'error:' 'error' 'warning:'; do
    grep -q "$word" "$log" || continue
    awk -v at="$copy/" -v word="$word" '
      !told && index($0, at) { last = "    " $0 "\n" }
      told && (/ (error|warning): / || / note: / && !index($0, at)) { exit }
      !told && index($0, word) {
        if (!index($0, at)) printf "%s", last
        told = shown = 1
      }
      told == 1 && / note: / { told = shown = 2 }
      shown && /^[^ ]/ && !/ (error|warning|note): / { shown = 0 }
      shown && (!code || /^ *[|]/) { print "    " $0 }
      /^ *[0-9]+ [|] / { code = 1 }
      /^ *[|] / { shown = code = 0 }' "$log"
    return
  done
}

# Step 9 is also a library, which is compiled in one piece, and only once for all exercises that have the same
# text of it.
compile_library() {
  library=
  [ -d "$copy/coop" ] || return 0
  (cd "$copy" && printf '#include "%s"\n' coop/*.cpp coop/core/*.cpp coop/uv/*.cpp) >"$built/coop.cpp"
  text=$(cd "$copy" && "$(compiler)" -std="$standard" -E -P -I . -x c++ - <"$OLDPWD/$built/coop.cpp" 2>&1 | cksum)
  library=$out/coop.${text% *}.o
  [ -e "$library" ] ||
    { compile coop -w -c "$built/coop.cpp" -o "$built/coop.o" && mv "$built/coop.o" "$library"; }
}

# Prints the main() of a file, or the file without it. Each line keeps its number.
main_of() { cut_main 1 "$1"; }
without_main() { cut_main '' "$1"; }
cut_main() {
  awk -v wanted="$1" '
    /^int main[(]/ { inside = 1 }
    { print inside == wanted ? $0 : "" }
    inside && (/^}/ || /^int main.*}$/) { inside = "" }' "$2"
}

# original PRINT FILE WHAT: what PRINT prints of the learner's FILE, if it is the same text as in the original (so that
# all messages are about a file that the learner knows). If not, of the original, and a note.
original() {
  file=$folder/$2
  [ -f "$file" ] || file=$step/$2
  if [ "$("$1" "$file" | sed '/^$/d')" = "$("$1" "$copy/$2" | sed '/^$/d')" ]; then
    file=$copy/$2
  else
    printf '  %-16s note   this runs the original %s, not yours\n' "$2" "$3" >&2
  fi
  echo "#line 1 \"$file\""
  "$1" "$file"
}

# Writes what is compiled: the learner's files, but the original main() and the original tests. The
# program has no main(), so that the tests can include it.
write_sources() {
  mkdir "$built/main"
  if [ -n "$program" ]; then
    if changeable | grep -qxF "$program.cpp"; then
      { echo "#line 1 \"$copy/$program.cpp\"" && without_main "$copy/$program.cpp"; } >"$built/$program.cpp"
    else
      original without_main "$program.cpp" program >"$built/$program.cpp"
    fi
    { echo "#include \"../$program.cpp\"" && original main_of "$program.cpp" 'main()'; } >"$built/main/$program.cpp"
  fi
  [ ! -f "$folder/test.cpp" ] || original cat test.cpp tests >"$built/test.cpp"
}

# build SOURCE BINARY [OPTION...]
build() {
  source=$1 binary=$2
  shift 2
  # shellcheck disable=SC2086 # words of their own
  compile "${source##*/}" $warnings "$@" -c "$source" -o "$binary.o" &&
    compile "${source##*/}" "$@" "$binary.o" ${library:+"$library" -luv} $catch2 -o "$binary"
}

# Runs a command, which may take $CHECK_SECONDS.
limited() (
  limit=
  ! timeout --foreground 1 true 2>/dev/null || limit="timeout --foreground $CHECK_SECONDS" # macOS has no timeout
  ulimit -f 100000
  # shellcheck disable=SC3045 # dash, bash, ksh and busybox all have -t
  ulimit -t $((2 * CHECK_SECONDS))
  # shellcheck disable=SC2086 # words of their own
  exec $limit "$@" </dev/null
)

# say_where SOURCE OPTIONS: if $built/said reports a crash, or an output that ends after its first line, builds
# the same once more with sanitizers and runs it, to show the line.
say_where() {
  ends='> +([2-9]|[1-9][0-9]+) .*[|] [(]the output has ended[)]$'
  ! grep -q '^ *it did not end within' "$built/said" || return 0
  [ -z "$extra" ] && grep -q -E "stopped by signal|fatal error condition|$ends" "$built/said" || return 0
  # shellcheck disable=SC2086 # words of their own
  build "$1" "$built/sanitized" $2 -g -w -fsanitize=address,undefined -fno-sanitize-recover=undefined >"$built/unsaid" || return 0
  signals=handle_segv=2:handle_abort=2:handle_sigfpe=2:handle_sigill=2:handle_sigbus=2
  ASAN_OPTIONS=detect_leaks=0:$signals UBSAN_OPTIONS=print_stacktrace=1 limited "$binary" >"$built/unsaid" 2>"$log"
  awk -v at="$copy/" -f tools/exercise/exercise_crash.awk "$log"
}

# Builds our version of the exercise as $ours/program or $ours/test, from the files in $ours/files. It is kept, because
# it changes only with the course.
our_binary() {
  ours=$out/ours/$number
  [ ! -x "$ours/$1" ] || [ -n "$(find "$step" tools/exercise/exercise_check.sh -newer "$ours/$1" | head -n 1)" ] || return 0
  rm -rf "$ours/files" "$ours/built"
  mkdir -p "$ours/built" && hand_out "$ours/files" && solve "$ours/files" || return
  yours=$copy yours_built=$built copy=$ours/files built=$ours/built
  write_sources >/dev/null 2>&1
  # shellcheck disable=SC2086 # words of their own
  case $1 in
  test) build "$built/test.cpp" "$ours/test" $of_tests ;;
  *) build "$built/main/$program.cpp" "$ours/program" ;;
  esac >/dev/null 2>&1
  made=$?
  copy=$yours built=$yours_built
  return $made
}

# leaves_ours WHAT BINARY [ARGUMENTS]: says in which turn the learner's program, or a test, leaves ours.
leaves_ours() {
  case $step in step0[3-7]*) ;; *) return 0 ;; esac
  [ -z "$extra" ] || return 0 # when our own exercises are proved
  if ! has gdb; then
    say_once "  With gdb, this also says in which turn yours leaves ours: $(install_command gdb)"
    return 0
  fi
  our_binary "$1" || return 0
  tools/exercise/where_it_differs "$ours/$1" "$ours/files" "$2" "$copy" "${3-}"
  case $?:$kind in
  1:mine) echo "  look closer: ./learn debug $number" ;;
  1:*) echo "  look closer: ./learn trace $number, or ./learn debug $number" ;;
  2:*) say_once "  gdb can't follow a program here, so this can't say in which turn yours leaves ours." ;;
  esac
}

say_once() {
  grep -qxF -e "$1" "$out/said_once" 2>/dev/null || printf '%s\n' "$1" | tee -a "$out/said_once"
}

check_program() {
  [ -n "$program" ] || return 0
  catch2=
  build "$built/main/$program.cpp" "$built/$program" || return
  mkdir "$built/expected"
  [ ! -d "$step/expected" ] || cp "$step"/expected/* "$built/expected"
  [ ! -f "$folder/expected.run" ] || cp "$folder/expected.run" "$built/expected/$program.run"
  expected >"$built/expected/$program.txt" || return
  rm -f "$built/expected/$program.make"
  tools/learn/check "$built" "$built" "$program" >"$built/said" 2>"$built/errors"
  judged=$?
  checked=-D_GLIBCXX_DEBUG # iterators, too; Catch2 and the library of step 9 are compiled without
  say_where "$built/main/$program.cpp" "$([ -n "$library" ] || echo "$checked")" >"$built/where"
  # Instead of an assertion in a header of the library, the line of the learner.
  if [ -s "$built/where" ]; then grep -v "Assertion '" "$built/errors"; else cat "$built/errors"; fi >&2
  sed "s|${built##*/}/expected/$program.txt|$(expected_file)|" "$built/said"
  cat "$built/where"
  [ $judged -eq 0 ] || leaves_ours program "$built/$program"
  return $judged
}

find_catch2() {
  catch2="-lCatch2Main -lCatch2" major=3
  has_header catch2/catch_all.hpp || catch2=-lCatch2WithMain major=2
}

# Shows the first test that fails, in the words of Catch2.
check_tests() {
  [ -f "$folder/test.cpp" ] || return 0
  find_catch2
  of_tests="-I $step/tests -DCATCH2_MAJOR=$major"
  # shellcheck disable=SC2086 # words of their own
  build "$built/test.cpp" "$built/test" $of_tests || return
  : >"$built/report"
  alive '  running the tests ...'
  limited "$built/test" --abort -o "$built/report" >"$built/unsaid" 2>&1
  status=$?
  alive
  passed=$(sed -n 's/^All tests passed .* in \([0-9]* test\) case\(s*\)).*/\1\2/p' "$built/report")
  if [ -n "$passed" ] && [ $status -eq 0 ]; then
    printf '  %-16s ok     %s\n' test.cpp "$passed"
    return
  fi
  {
    printf '  %-16s FAIL   ' test.cpp
    awk '/^---/ { n++; next } n == 1' "$built/report" | tr -s ' \n' ' ' | fold -s -w 54
    echo
  } | sed '2,$s/^/                          /; s/ *$//' >"$built/failed"
  cat "$built/failed"
  # Catch2 has already wrapped its lines, nearly to the width of the screen.
  sed -n "s/^  SIGTERM - .*/  it did not end within $CHECK_SECONDS seconds (an endless loop, or a wait that never ends?)/
    /FAILED:$/,/^===/ { /^===/!p; }" "$built/report" | fold -s -w 79 |
    awk '/./ { print substr("  ", 1, 80 - length) $0 }' >"$built/said"
  [ -s "$built/said" ] || echo "  the program has ended in the middle of the tests, with exit status $status" >"$built/said"
  say_where "$built/test.cpp" "$of_tests" >"$built/where"
  name=$(awk '/^---/ { n++; next } n == 1' "$built/report" | tr -s ' \n' ' ' | sed 's/ $//; s/[][,]/\\&/g')
  [ -z "$name" ] || leaves_ours test "$built/test" "\"$name\" --abort -o /dev/null" >>"$built/where"
  # All of it fits on a screen.
  awk -v room=$((21 - $(wc -l <"$built/failed") - $(wc -l <"$built/where"))) 'room < 2 { room = 2 } NR <= room
    NR == room + 1 { print "    ..." }' "$built/said"
  cat "$built/where"
  return 1
}

# The tests have passed; runs them once more with sanitizers, and shows what those report, with its line. The check
# doesn't fail because of it.
note_sanitizers() {
  [ -f "$built/test.cpp" ] || return 0
  # shellcheck disable=SC2086 # words of their own
  build "$built/test.cpp" "$built/sanitized" $of_tests -g -w -fsanitize=address,undefined \
    -fno-sanitize-recover=undefined >"$built/unsaid" || return 0
  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 limited "$built/sanitized" >"$built/unsaid" 2>"$log"
  awk -v at="$copy/" -f tools/exercise/exercise_crash.awk "$log" >"$built/said"
  ! grep -q "$copy/" "$built/said" || {
    printf '  %-16s note   all tests pass, but the sanitizers have found:\n' test.cpp
    cat "$built/said"
  }
}

# Shows the first line that awaits in a form which g++ 12 may compile wrongly. The check doesn't fail because of it. It
# only looks at lines: what knows more, tools/keep/coroutine_lint, needs clang, which a learner may not have.
note_shapes() {
  # shellcheck disable=SC2016 # the words are awk's
  for file in $(changeable); do echo "$copy/$file"; done | xargs awk '
    /^[^\/"]*co_(await|yield) / && !/^ *(co_return |[A-Za-z_*][A-Za-z0-9_:<>,*&. -]* = )?co_(await|yield) [^?{[]*$/ {
      printf "  %-16s note   g++ 12 may compile this wrongly; chapter 8 says why\n", "coroutines"
      printf "    %s:%d:\n      %s\n", FILENAME, FNR, $0
      exit
    }'
}

# Writes the results of what is in $copy; $built is an empty folder.
judge() {
  write_sources 2>&1
  compile_library || return
  case $step in step0[89]*) note_shapes ;; esac
  for check in $order; do
    "$check" || return
  done
}

# Each check has a folder of its own, so that two at once don't meet.
checks() {
  { mkdir -p "$out" && built=$(mktemp -d "$out/$number.$$.XXXXXX"); } 2>/dev/null || no_space "$out"
  judge
  judged=$?
  [ $judged -ne 0 ] || note_sanitizers
  rm -rf "$built"
  return $judged
}
