#!/bin/sh
# Measures the time of all tests after ./learn. Runs only in the first round.
. ./waiting.sh
[ "$BENCH_ROUND" = 1 ] || {
  report
  exit
}
cd "$project" || exit 77
git checkout -q .
start=$(date +%s.%N)
./learn test >test.log 2>&1 || {
  tail -n 30 test.log >&2
  exit 1
}
report tests "$(seconds_since "$start")"
