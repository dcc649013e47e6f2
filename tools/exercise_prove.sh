# shellcheck shell=sh
# Proves an exercise. Sourced by tools/exercise.
# shellcheck disable=SC2034,SC2154 # shared with what sources this

# All of it happens in a folder of its own, so that many can be proved at once.
prove() {
  choose "$1"
  scratch=$out/prove/$number
  { rm -rf "$scratch" && mkdir -p "$scratch"; } || exit 2
  copy=$scratch/$number built=$scratch/built/$number
  warnings='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
  case $kind in 'fill in' | 'change it' | predict) ;; *) wrong "of which kind is it?" ;; esac
  case $minutes in [1-9] | [1-9][0-9]) ;; *) wrong "how many minutes does it take?" ;; esac
  ! grep -v -E "^(kind|minutes|program|blank [^ ]*:) |^ " "$folder/exercise" >"$scratch/said" ||
    wrong "what is this?"
  [ -n "$(title)" ] || wrong "the README does not begin with '# $number: Title'"
  for name in 'Hint 1' 'Hint 2' 'Hint 3' Afterwards; do
    [ -n "$(part "$name")" ] || wrong "the README has no '## $name'"
  done
  [ "$(grep -c '^## ' "$folder/README.md")" = 4 ] || wrong "there is more than three hints and 'Afterwards'"

  hand_out "$copy" >"$scratch/said" 2>&1 || wrong "it cannot be handed out"
  [ "$kind" != 'fill in' ] || grep -q -r 'Your turn' "$copy" ||
    wrong "nothing in what is handed out says 'Your turn'"
  checks >"$scratch/said" 2>&1
  [ $? -eq 1 ] || wrong "unsolved, it must build and fail"
  solve "$copy" >"$scratch/said" 2>&1 || wrong "our solution cannot be made"
  checks >"$scratch/said" 2>&1 || wrong "our solution must pass"
  for patch in "$folder"/wrong_*.patch; do
    [ ! -f "$patch" ] || prove_wrong "$(basename "$patch" .patch)"
  done
  : >"$scratch/said"
  [ "$kind" != predict ] || [ -z "$program" ] || prove_prediction
  echo "$number ok"
}

wrong() {
  echo "$number: $*"
  [ ! -s "$scratch/said" ] || cat "$scratch/said"
  exit 1
}

# Proves that the checks fail for a known wrong solution, which $1.patch makes from our solution.
prove_wrong() {
  {
    rm -rf "$copy" && hand_out "$copy" && solve "$copy" &&
      patch -s -F 0 -p1 -d "$copy" <"$folder/$1.patch"
  } >"$scratch/said" 2>&1 || wrong "$1 cannot be made"
  checks >"$scratch/said" 2>&1
  [ $? -eq 1 ] || wrong "$1 must fail"
}

# Proves that the program prints the lines of the prediction, in this order. It may print others.
prove_prediction() {
  { compile_library && build "$program.cpp" "$built/$program"; } >"$scratch/said" 2>&1 ||
    wrong "it must build"
  (cd "$built" && timeout "$CHECK_SECONDS" "./$program" >run </dev/null 2>&1)
  expected | awk 'NR == FNR { line[++n] = $0; next } at < n && $0 "" == line[at + 1] { at++ }
    END { exit at < n }' - "$built/run" || wrong "the program does not print what is expected"
}

# All, or those that are named; as many at a time as there are processors.
prove_all() {
  if [ $# -eq 0 ]; then all; else printf '%s\n' "$@"; fi |
    xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 1 tools/exercise prove || exit 1
}
