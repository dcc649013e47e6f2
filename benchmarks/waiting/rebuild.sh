#!/bin/sh
# Changes one line of a program, and measures the time until `./learn run STEP PROGRAM` has run it.
. ./waiting.sh
cd "$project" || exit 77
echo "// changed in round $BENCH_ROUND" >>"$(tools/programs step0"$1"_* "$2")"
start=$(date +%s.%N)
./learn run "$1" "$2" >/dev/null
report rebuild "$(seconds_since "$start")"
