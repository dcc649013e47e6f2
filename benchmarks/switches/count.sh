#!/bin/sh
# Counts the instructions of one switch among 1000 tasks: the difference between 100 000 and 200 000
# switches, so that the start and the end of the tasks don't count.
[ "$BENCH_ROUND" = 1 ] || {
  echo '{"benchmarks":[]}' # they would be the same again
  exit
}
command -v valgrind >/dev/null && [ -x "$1" ] || exit 77
set -e

instructions() { # instructions SWITCHES PROGRAM
  BENCH_SWITCHES=$1 valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file=count.log "$2" \
    --benchmark_filter=yield/1000/ --benchmark_repetitions=1 >count.out
  awk '/Collected/ { print $NF }' count.log
}

first=$(instructions 100000 "$1")
second=$(instructions 200000 "$1")
jq -n "{benchmarks: [{name: \"yield/1000\", instructions: (($second - $first) / 100000)}]}"
