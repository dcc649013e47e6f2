#!/bin/sh
# tools/keep/bench with a group of known numbers, and the recorded pages. Exit status: 77 if a package for ./learn bench is
# missing.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
. "$root/tools/learn/setup.sh"
. "$root/tests/expect.sh"
cd "$root" || exit 2
missing=$(missing_bench_packages)
[ -z "$missing" ] || skip_all "./learn bench, because packages are not installed: $missing"
copy_project

# In four rounds, the yardstick takes 1, 2, 10, 4, and the other contestant takes 2, 6, 10, 16. The ratios are
# 2, 3, 1, 4, and their median is 2.5.
mkdir -p benchmarks/tiny
echo 'project(tiny NONE)' >benchmarks/CMakeLists.txt
cat >benchmarks/tiny/answer.sh <<'E2'
[ "$1" != ./missing ] || exit 127
echo >>"$1"
shift "$(wc -l <"$1")"
echo '{"benchmarks":[{"name":"yield/2","cpu_time":'"$1"',"time_unit":"us","bytes":4096},
  {"name":"yield/2/iterations:7","cpu_time":99000,"run_type":"iteration"},
  {"name":"yield/2_mean","cpu_time":0.1,"run_type":"aggregate"},
  {"name":"call","cpu_time":5}]}'
E2
cat >benchmarks/tiny/table <<'E2'
column | 2 tasks | yield/2       | ns
column | bytes   | yield.bytes/2 |
column | call    | call          | ns
run  | times | sh ../../../benchmarks/tiny/answer.sh $ |
once | first | sh ../../../benchmarks/tiny/answer.sh $ |
once | tool  | ./tool $                                | strace
row | yardstick | first 1 2 10 4   | | times
row | other     | second 2 6 10 16 | | times tool
row | single    | third 7          | | first
row | missing   | ./missing        | missing-dev
target | other  | yield/2 | 2
target | *      | call    | 1.5
target | other  | yield/2 | 1000 | call
E2
printf 'Before.\n\n<!-- figures -->\nold\n<!-- end -->\n\nAfter.\n' >benchmarks/tiny/README.md
cat >"$scratch/expected" <<'E2'
Before.

<!-- figures -->

|           |  2 tasks | bytes | call |
|-----------|---------:|------:|-----:|
| yardstick | 3 000 ns | 4 096 | 5 ns |
| other     |      2.5 | 4 096 |    1 |
| single    |        7 | 4 096 |    1 |

- **missed**: other, 2 tasks: 2.5, at most 2
- met: yardstick, call: 1, at most 1.5
- met: other, call: 1, at most 1.5
- met: single, call: 1, at most 1.5
- not measured: missing, call: at most 1.5
- **missed**: other, 2 tasks compared with call: 1 600, at most 1000

Measured on DAY.
Not measured, because a program isn't installed: missing (missing-dev), other (strace).

<!-- end -->

After.
E2
rounds() { rm -rf build/bench/tiny && expect 0 tools/keep/bench --rounds 4 "$@" tiny; }
rounds
prints '| other     |      2.5 | 4 096 |    1 |'
grep -q old benchmarks/tiny/README.md || complain "tools/keep/bench has changed a page without --record"
rounds --record
sed 's/^Measured on .*/Measured on DAY./' benchmarks/tiny/README.md | diff "$scratch/expected" - >"$scratch/out" ||
  complain "tools/keep/bench --record has written another page"

rm -r build/bench/tiny
sed -i 's/second .* 16/x/' benchmarks/tiny/table
expect 1 tools/keep/bench tiny
complains "tiny: this command of other failed: sh ../../../benchmarks/tiny/answer.sh x"
expect 2 tools/keep/bench nonsense
complains "there is no group 'nonsense'"
complains_in_one_line
expect 2 tools/keep/bench --rounds some
complains_in_one_line

# The recorded pages have a row for each contestant, and a line for each target.
cd "$root" || exit 2
for table in benchmarks/*/table; do
  page=${table%table}README.md
  sed -n 's/ *| */|/g; s/^row|\([^|]*\).*/\1/p' "$table" | sort -u >"$scratch/rows"
  while IFS= read -r row; do
    grep -q -e "^| $row  *|" -e "^Not measured.* $row (" "$page" || echo "$page has no row '$row'"
  done <"$scratch/rows"
  sed -n 's/ *| */|/g; s/^target|\([^|]*\)|.*/\1/p' "$table" | while IFS= read -r row; do
    if [ "$row" = '*' ]; then cat "$scratch/rows"; else echo "$row"; fi
  done | sort >"$scratch/targets"
  sed -n 's/^- \(met\|\*\*missed\*\*\): \([^,]*\),.*/\2/p' "$page" | sort | diff "$scratch/targets" -
done >"$scratch/out"
[ ! -s "$scratch/out" ] || complain "a page of benchmarks doesn't fit its table: tools/keep/bench --record writes it anew"
finish
