#!/bin/sh
# Measures the time from a fresh clone to the first output of ./learn, and until all steps have run. Runs
# only in the first round, because it takes minutes.
. ./waiting.sh
[ "$BENCH_ROUND" = 1 ] || {
  report
  exit
}
rm -rf "$project"
start=$(date +%s.%N)
git clone -q "$(git rev-parse --show-toplevel)" "$project" || exit 77
cd "$project"
first=$(./learn 2>&1 | {
  read -r _
  seconds_since "$start"
  cat >/dev/null
})
report first_output "$first" everything "$(seconds_since "$start")"
