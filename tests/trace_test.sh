#!/bin/sh
# tools/trace, ./learn trace and the timeline pages: turns are counted as the chapters count them, a
# drawing fits into 80 columns, a page shows each line where a body stopped.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
copy_project

# The turns of the original programs: whose they are, one after the other.
turns() { # turns STEP PROGRAM IDS
  expect 0 tools/trace "$1" "$2"
  found=$(sed -n 's/^who task //p' "$scratch/out" | xargs)
  [ "$found" = "$3" ] || complain "$1/$2: turns $found"
}
for step in step03_scheduler step08_cpp20; do
  turns $step two_tasks '1 2 1 2 1 2 1 2 1 2 1 2 1 1 1 1 1'
done
turns step09_reactor two_tasks '1 2 3 2 3 2 3 2 3 2 3 2 3 2 2 2 2 2' # task 1 spawns the others
turns step04_syscalls task_ids '1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 1 1 1 1'
turns step04_syscalls parent_child '1 1 2 1 2 1 2 1 2 1 1 1 1 1'
turns step06_stacked unstacked '1 1'
turns step06_stacked echo_times '1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1'
turns step06_stacked return_value '1 2 1 2 1 2 1 2'
turns step07_errors kill_missing_task '1 1'

expect 0 ./learn trace 3
prints "   2  │ ●  This is task 2 iteration 1.                         39  yields  1 2"
is_plain
expect 0 ./learn trace 4 process_calls
prints "Task 1 waits for task 2."
prints "asks wait_task(child) and"

for words in "trace" "trace 3 nosuch" "trace 5" "trace 2 logger" "trace 9 timeout"; do
  # shellcheck disable=SC2086 # words, not one word
  expect 2 ./learn $words
  prints_nothing
  complains_in_one_line
done

# A few recordings, drawn and as pages.
recordings=build/recordings
for pair in "step02_coroutines first_yield" "step04_syscalls actors" "step06_stacked return_value" \
  "step09_reactor semaphore"; do
  folder=$recordings/${pair%%_*}
  # shellcheck disable=SC2086 # two words
  { mkdir -p "$folder" && tools/trace $pair >"$folder/${pair##* }.txt"; } || complain "trace $pair"
done
mkdir pages
expect 0 tools/timeline_pages pages $recordings
for recording in "$recordings"/*/*.txt; do
  program=$(basename "$recording" .txt)
  expect 0 env LC_ALL=C awk -v program="$program" -v colour=no -f tools/trace_draw.awk "$recording"
  sed 's/●/o/g; s/│/|/g; s/·/./g; s/×/x/g' "$scratch/out" >"$scratch/drawing"
  ! grep -q '.\{81\}' "$scratch/drawing" || complain "$recording: wider than 80 columns"
  turns=$(grep -c '^turn' "$recording")
  [ "$(grep -c '^ *[0-9][0-9]*  ' "$scratch/drawing")" -eq "$turns" ] || complain "$recording: not $turns turns"
  id=timeline_$(basename "$(dirname "$recording")")_$program
  expect 0 grep -F "subpage $id " pages/timelines.md
  expect 0 grep -F "htmlinclude[block] $id.html" "pages/$id.md"
  [ "$(grep -c '^<li>' "pages/$id.html")" -eq "$turns" ] || complain "$id: other turns"
  sed -n 's/^stop \([^ -][^ ]*\) .*/\1/p' "$recording" | sort -u >"$scratch/places"
  while read -r place; do
    expect 0 grep -F "timeline-line\" data-line=\"$place\"" "pages/$id.html"
  done <"$scratch/places"
done
expect 2 tools/timeline_pages nowhere $recordings

# A scheduler that is written in another way.
sed 's/if (task.run())/if ((task.run()))/' step03_scheduler/scheduler.hpp >changed &&
  mv changed step03_scheduler/scheduler.hpp
expect 2 tools/trace step03_scheduler two_tasks
complains "step03_scheduler/scheduler.hpp does not have"
complains_in_one_line
finish
