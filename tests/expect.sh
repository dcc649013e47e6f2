# shellcheck shell=sh
# Functions for the shell tests: they run a command, and check its exit status and its output.

scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in zh*) export LC_ALL=C.UTF-8 ;; esac # the messages are English
failures=0
skipped=

complain() {
  failures=$((failures + 1))
  echo "FAILED: $*"
  head -n 20 "$scratch/out" "$scratch/err" | sed 's/^/  | /'
}

# expect STATUS COMMAND...: stdout goes to $scratch/out, stderr to $scratch/err.
expect() {
  wanted=$1
  shift
  what=$*
  "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
  got=$?
  [ $got -eq "$wanted" ] || complain "$what: exit status $got, not $wanted"
}

# prints TEXT..., prints_no TEXT..., complains TEXT...: all of these, or none of them, are in the output.
prints() { for text; do grep -qF -e "$text" "$scratch/out" || complain "$what: no '$text' on stdout"; done; }
prints_no() { for text; do ! grep -qF -e "$text" "$scratch/out" || complain "$what: '$text' on stdout"; done; }
complains() { for text; do grep -qF -e "$text" "$scratch/err" || complain "$what: no '$text' on stderr"; done; }
prints_nothing() { [ ! -s "$scratch/out" ] || complain "$what: something on stdout"; }
complains_nothing() { [ ! -s "$scratch/err" ] || complain "$what: something on stderr"; }
complains_in_one_line() {
  [ "$(wc -l <"$scratch/err")" -eq 1 ] || complain "$what: not one line on stderr"
}
is_plain() {
  ! LC_ALL=C tr -d '\n' <"$scratch/out" | LC_ALL=C grep -q '[[:cntrl:]]' ||
    complain "$what: control characters on stdout"
}
is_narrow() { ! LC_ALL=C grep -q '.\{81\}' "$scratch/out" || complain "$what: wider than 80 columns"; }

# learn STATUS WORDS [TEXT...]: ./learn with these words prints the texts.
learn() {
  wanted=$1 words=$2
  shift 2
  # shellcheck disable=SC2086 # words, not one word
  expect "$wanted" ./learn $words
  prints "$@"
}

# refuses WORDS [TEXT...]: ./learn with these words only prints a message of one line, with the texts.
refuses() {
  learn 2 "$1"
  shift
  prints_nothing
  complains_in_one_line
  complains "$@"
}

# Copies the project without its build folder, and changes to the copy.
copy_project() {
  mkdir "$scratch/project"
  (cd "$root" && tar cf - --exclude=./build --exclude=./work --exclude=./.git .) |
    (cd "$scratch/project" && tar xf -)
  cd "$scratch/project" || exit 2
  export CCACHE_BASEDIR="$scratch/project" # so that ccache finds the results of the original
}

# skip WHAT: says that something can't be checked on this machine. The other checks go on.
skip() {
  skipped=yes
  echo "skipped: $*"
}

# skip_all WHAT: says that nothing more can be checked, and ends.
skip_all() {
  skip "$@"
  finish
}

# Is gdb installed, and may it trace a program?
has_gdb() { gdb -nx -batch -ex run --args /bin/sh -c : >/dev/null 2>&1; }

# Exit status: 0 all as expected, 1 something failed, 77 something was skipped, which CTest reports.
finish() {
  [ $failures -eq 0 ] || exit 1
  [ -z "$skipped" ] || exit 77
  echo "all as expected"
  exit
}
