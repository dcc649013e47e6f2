# The results of benchmarks, as text. tools/keep/bench calls cases and page.

def median:
  sort | if . == [] then null
    elif length % 2 == 1 then .[length / 2 | floor]
    else (.[length / 2 - 1] + .[length / 2]) / 2 end;

# The answer of a program, in the format of Google Benchmark -> {"yield/1000": 3.1, ...}. Times are in
# nanoseconds. A counter of the program is a case, too: "yield.bytes_a_task/1000". Of several repetitions,
# the shortest counts, because other processes can only add time.
def cases:
  def known: ["family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads",
    "iterations", "real_time", "cpu_time"];
  [.benchmarks[] | select(.run_type != "aggregate")
    | if .error_occurred then error(.name + ": " + .error_message) else . end
    | (.name | sub("/(iterations|repeats):.*"; "") / "/") as $words
    | { "ns": 1, "us": 1e3 }[.time_unit // "ns"] as $unit
    | (select(.cpu_time) | { key: ($words | join("/")), value: (.cpu_time * $unit) }),
      (to_entries[] | select((.value | type) == "number" and (.key | IN(known[]) | not))
        | { key: ([$words[0] + "." + .key] + $words[1:] | join("/")), value })
  ] | group_by(.key) | map({ key: .[0].key, value: map(.value) | min }) | from_entries;

# At least three significant digits, and blanks between thousands.
def figure:
  if . == 0 then "0" else (fabs | log10 | floor) as $size
  | if $size >= 2 then (round | tostring | [while(length > 0; .[:-3]) | .[-3:]] | reverse | join(" "))
    else pow(10; 2 - $size) as $scale | (. * $scale | round) / $scale | tostring end end;

# A ratio: 1.08, 3.8, 82, 8 400.
def ratio:
  if . < 2 then (. * 100 | round) / 100 | tostring
  else (log10 | floor) as $size | pow(10; $size - 1) as $scale | (. / $scale | round) * $scale
    | if $size < 2 then (. * 10 | round) / 10 | tostring else figure end end;

def padded: # rows of cells, the first to the left, the others to the right
  transpose | map((map(length) | max) as $width | map([., " " * ($width - length) // ""]))
  | transpose | map([to_entries[] | if .key == 0 then .value[0] + .value[1] else .value[1] + .value[0] end]
    | "| " + join(" | ") + " |");

# The table and what belongs below it. $plan is the text of benchmarks/GROUP/table.
def page:
  [$plan | split("\n")[] | split("|") | map(gsub("^ +| +$"; ""))] as $lines
  | [$lines[] | select(.[0] == "column") | { heading: .[1], case: .[2], unit: (.[3] // "") }] as $columns
  | (reduce ($lines[] | select(.[0] == "row")[1]) as $row ([]; if index([$row]) then . else . + [$row] end)) as $rows
  | (reduce $rounds[] as $r ({}; .["\($r.round)"][$r.row] += $r.cases) | [.[]]) as $measured
  | def ratios($row; $case; $to; $of): [$measured[] | select(.[$row][$case] and .[$to][$of]) | .[$row][$case] / .[$to][$of]] | median;
    def cell($row):
      . as $column
      | [$measured[][$row][$column.case] | values] as $all
      | if $all == [] then ""
        elif $column.unit == "" then $all | median | figure
        elif $row == $rows[0] then ($all | median | figure) + " " + $column.unit
        else ratios($row; $column.case; $rows[0]; $column.case) | if . then ratio else "" end end;
    ([[""] + ($columns | map(.heading))] + [$rows[] as $row | [$row] + [$columns[] | cell($row)] | select(.[1:] | any(. != ""))]
      | padded) as $table
  | "", $table[0], ($table[0] | gsub("[^|]"; "-") | gsub("-\\|"; ":|") | sub(":\\|"; "-|")), $table[1:][], "",
    ($lines[] | select(.[0] == "target") as [$_, $whose, $case, $limit, $of]
      | (if $whose == "*" then $rows[] else $whose end) as $row
      | ratios($row; $case; if $of then $row else $rows[0] end; $of // $case)
      | (if . == null then "not measured" elif . <= ($limit | tonumber) then "met" else "**missed**" end) as $result
      | ([$columns[] | { key: .case, value: .heading }] | from_entries) as $name
      | "- \($result): \($row), \($name[$case])\(if $of then " compared with \($name[$of])" else "" end): "
        + "\(if . then figure + ", " else "" end)at most \($limit)"),
    "", "Measured on \($machine).",
    ($skipped | split("\n") | map(select(. != "")) | unique | if . == [] then empty else "Not measured, because a program isn't installed: \(join(", "))." end),
    "";
