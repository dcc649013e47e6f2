#!/bin/sh
# The measuring itself, with contestants whose figures are known; and what was measured and recorded
# belongs to what is there. No figure of a real contestant is tested. Exit status 77, which CTest calls
# skipped, where what ./learn bench needs is not installed.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
. "$root/tools/setup.sh"
missing=$(missing_bench_packages)
if [ -n "$missing" ]; then
  echo "skipped: benchmarks need $missing"
  exit 77
fi
. "$root/tests/expect.sh"
copy_project

# Four rounds of a yardstick that takes 1, 2, 10, 4, of a contestant that takes 2, 6, 10, 16: the ratios are
# 2, 3, 1, 4, and their median is 2.5; that of the yardstick is 3, of the contestant 8.
mkdir -p benchmarks/tiny
echo 'project(tiny NONE)' >benchmarks/CMakeLists.txt
cat >benchmarks/tiny/answer.sh <<'E2'
shift "$BENCH_ROUND"
echo '{"benchmarks":[{"name":"yield/2","cpu_time":'"$1"',"time_unit":"us","bytes":4096},
  {"name":"yield/1000/iterations:7","cpu_time":'"$1"',"time_unit":"ns","run_type":"iteration"},
  {"name":"yield/1000/iterations:7","cpu_time":99,"time_unit":"ns","run_type":"iteration"},
  {"name":"yield/1000/iterations:7_mean","cpu_time":0.1,"time_unit":"ns","run_type":"aggregate"},
  {"name":"call","cpu_time":1,"real_time":'"$1"',"time_unit":"ns"}]}'
E2
cat >benchmarks/tiny/contestants <<'E2'
yard stick | sh ../../../benchmarks/tiny/answer.sh x 1 2 10 4  |
other      | sh ../../../benchmarks/tiny/answer.sh x 2 6 10 16 |
not here   | ./not_here                                        | not-here-dev
E2
cat >benchmarks/tiny/targets <<'E2'
twice     | other @ yield/1000 | yard stick @ yield/1000 | <= 2
twice, or more | other @ yield/1000 | yard stick @ yield/1000 | >= 2
eight     | other @ yield/1000 | 1 | <= 8
whatever  | not here @ call | yard stick @ call | <= 1
E2
cat >benchmarks/tiny/why.md <<'E2'
# Tiny
## A switch
<!-- figures yield | ns a switch -->
Because.
<!-- figures yield.bytes | bytes -->
<!-- figures call | ns a call -->
E2
expect 0 tools/bench --rounds 4 tiny
prints '| ns a switch |     2 |   × | 1 000 |   × |'
prints '|-------------|------:|----:|------:|----:|'
prints '| yard stick  | 3 000 |   1 |     3 |   1 |'
prints '| other       | 8 000 | 2.5 |     8 | 2.5 |'
prints '| other      | 4 096 | 1 |'
prints '| other      | 1 | 1 |'
prints '- **missed**: twice <= 2: 2.5'
prints '- met: twice, or more >= 2: 2.5'
prints '- met: eight <= 8: 8'
prints '- not measured: whatever <= 1'
# shellcheck disable=SC2016 # nothing is to be expanded
prints '- not here: `apt-get install not-here-dev`'
! grep -q Because "$scratch/out" || complain "prose on the terminal"
results=build/bench/results
grep -q '^Because' $results/tiny.md || complain "no prose in the page"
grep '^<!-- figures' benchmarks/tiny/why.md | while IFS= read -r mark; do
  grep -qxF -e "$mark" $results/tiny.md || echo "$mark"
done >"$scratch/out"
[ ! -s "$scratch/out" ] || complain "the page has no place for these plots"
jq -e '[.rounds[] | select(.contestant == "other") | .cases["yield/1000"]] == [2, 6, 10, 16]' $results/tiny.json >/dev/null ||
  complain "tiny.json does not have the rounds"

sed -i 's/Because/Thus/' benchmarks/tiny/why.md
expect 0 tools/bench --again tiny
prints '| other       | 8 000 | 2.5 |     8 | 2.5 |'
grep -q '^Thus' $results/tiny.md || complain "the page was not written again"

echo 'broken | sh -c false |' >>benchmarks/tiny/contestants
expect 1 tools/bench tiny
complains 'tiny: broken failed: sh -c false'
expect 2 tools/bench nonsense
complains "there is no group 'nonsense'"
complains_in_one_line
expect 2 tools/bench --rounds some
complains_in_one_line

# What was recorded: the pages have the reasons as they are now, each target and each mark of a plot is of
# something that was measured, and nothing that was measured is left out.
cd "$root" || exit 2
for why in benchmarks/*/why.md; do
  group=$(basename "$(dirname "$why")")
  json=benchmarks/results/$group.json
  sed -n 's/^<!-- figures \([^ ]*\) .*/\1/p' "$why" | sort >"$scratch/shown"
  jq -r '.medians[].cases | keys[] | split("/")[0]' "$json" | sort -u >"$scratch/measured"
  diff "$scratch/shown" "$scratch/measured" >"$scratch/out" || complain "$why shows something else than $json has"
  jq -r '.targets[] | select(.measured == null) | .words' "$json" >"$scratch/out"
  [ ! -s "$scratch/out" ] || complain "targets of $group that were not measured"
  sed -n '/^ *#/d; s/ *|.*//p' "benchmarks/$group/contestants" | sort >"$scratch/listed"
  jq -r '.medians[].contestant, .skipped[].name' "$json" | sort | diff "$scratch/listed" - >"$scratch/out" ||
    complain "$json is not about the contestants of $group"
  while IFS= read -r line; do
    grep -qxF -e "$line" "benchmarks/results/$group.md" || printf '%s\n' "$line"
  done <"$why" >"$scratch/out"
  [ ! -s "$scratch/out" ] || complain "benchmarks/results/$group.md is older than $why: tools/bench --record --again $group"
done
finish
