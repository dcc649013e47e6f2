#!/bin/sh
# tools/trace, ./learn trace and the timeline pages: the recordings are what the programs do now, a
# drawing fits into 80 columns, a page shows each line where something stopped.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
copy_project

expect 0 tools/trace --all --check
prints_nothing

expect 0 ./learn trace 3
prints "   2  │ ●  This is task 2 iteration 1.                         38  yields  1 2"
is_plain
expect 0 ./learn trace 4 process_calls
prints "   4  ● │  Task 1 waits for task 2.    67  asks wait_task(child) and       2"

for words in "trace" "trace 3 nosuch" "trace 5" "trace 2 logger" "trace 9 timers"; do
  # shellcheck disable=SC2086 # words, not one word
  expect 2 ./learn $words
  prints_nothing
  complains_in_one_line
done

for recording in docs/timeline/step0*/*.txt; do
  program=$(basename "$recording" .txt)
  expect 0 env LC_ALL=C awk -v program="$program" -v colour=no -f tools/trace_draw.awk "$recording"
  sed 's/●/o/g; s/│/|/g; s/·/./g; s/×/x/g' "$scratch/out" >"$scratch/drawing"
  ! grep -q '.\{81\}' "$scratch/drawing" || complain "$recording: wider than 80 columns"
  turns=$(grep -c '^turn' "$recording")
  [ "$(grep -c '^ *[0-9][0-9]*  ' "$scratch/drawing")" -eq "$turns" ] || complain "$recording: not $turns turns"
done

mkdir pages
expect 0 tools/timeline_pages pages
for recording in docs/timeline/step0*/*.txt; do
  id=timeline_$(echo "$recording" | sed 's|docs/timeline/\(.*\)/\(.*\)\.txt|\1_\2|')
  expect 0 grep -F "subpage $id " pages/timelines.md
  expect 0 grep -F "htmlinclude[block] $id.html" "pages/$id.md"
  [ "$(grep -c '^<li>' "pages/$id.html")" -eq "$(grep -c '^turn' "$recording")" ] || complain "$id: other turns"
  sed -n 's/^stop \([^ -][^ ]*\) .*/\1/p' "$recording" | sort -u >"$scratch/places"
  while read -r place; do
    expect 0 grep -F "timeline-line\" data-line=\"$place\"" "pages/$id.html"
  done <"$scratch/places"
done
expect 2 tools/timeline_pages nowhere

# A program that does something else, and a scheduler that is written otherwise.
rm -rf step0[!3]* docs/timeline/step0[!3]
expect 0 tools/trace --all --check
sed 's/i_ <= 5/i_ <= 4/' step03_scheduler/two_tasks.cpp >changed && mv changed step03_scheduler/two_tasks.cpp
expect 1 tools/trace --all --check
prints "-out This is task 2 iteration 5."
prints "These recordings differ"
sed 's/run_one(task);/run_one((task));/' step03_scheduler/scheduler.hpp >changed &&
  mv changed step03_scheduler/scheduler.hpp
expect 2 tools/trace step03_scheduler two_tasks
complains "step03_scheduler/scheduler.hpp does not have 'run_one(task);' in one line"
complains_in_one_line
finish
