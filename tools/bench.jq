# What tools/bench does with the answers of the contestants.

def median: sort | if length % 2 == 1 then .[length / 2 | floor] else (.[length / 2 - 1] + .[length / 2]) / 2 end;

# The answer of a program, as Google Benchmark writes it -> { "yield/1000": 3.1, ... } in nanoseconds.
# A counter of the program's own is a case, too: "yield.bytes_a_task/1000". Of repetitions, the shortest
# counts: what else the machine does can only add to it.
def cases:
  def known: ["family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads",
    "iterations", "real_time", "cpu_time"];
  [.benchmarks[] | select(.run_type != "aggregate")
    | if .error_occurred then error(.name + ": " + .error_message) else . end
    | (.name / "/") as $words
    | ($words[1:] | map(select(test("^[0-9]+$")))) as $arguments
    | (if .name | test("/manual_time|/real_time") then .real_time else .cpu_time end) as $time
    | { "ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9 }[.time_unit // "ns"] as $unit
    | (if $time then { ([$words[0]] + $arguments | join("/")): ($time * $unit) } else {} end)
      + (to_entries
         | map(select((.value | type) == "number" and (.key | IN(known[]) | not))
               | { key: ([$words[0] + "." + .key] + $arguments | join("/")), value })
         | from_entries)
    | to_entries[]
  ] | group_by(.key) | map({ key: .[0].key, value: map(.value) | min }) | from_entries;

# What "contestant @ case" has in a round, or a number; null if it was not measured.
def lookup($rounds; $round; $what):
  ($what | capture("^(?<name>.*?) *@ *(?<case>.*)$") // null) as $w
  | if $w == null then $what | tonumber
    else first($rounds[] | select(.round == $round and .contestant == $w.name) | .cases[$w.case]) // null end;

def lines: split("\n") | map(select(. != "" and (startswith("#") | not)));

def target($rounds):
  (./"|" | map(gsub("^ +| +$"; ""))) as [$words, $a, $b, $limit]
  | ($limit | capture("^(?<sign>[<>]=) *(?<bound>[0-9.]+)$")) as $l
  | ($l.bound | tonumber) as $bound
  | [range(1; ($rounds | map(.round) | max) + 1) as $n
      | [lookup($rounds; $n; $a), lookup($rounds; $n; $b)] | select(all(. != null)) | .[0] / .[1]] as $ratios
  | { words: $words, limit: $limit,
      measured: (if $ratios == [] then null else ($ratios | median) end) }
  | .met = (if .measured == null then null elif $l.sign == "<=" then .measured <= $bound else .measured >= $bound end);

# All of a group: what was measured in each round, and what follows from it.
def summary:
  ($machine | lines) as $m
  | ($rounds | map(.contestant) | reduce .[] as $n ([]; if index([$n]) then . else . + [$n] end)) as $names
  | ([$rounds[] | select(.contestant == $names[0]) | { "\(.round)": .cases }] | add) as $yardstick
  | { $group, date: $m[0], machine: $m[1:], yardstick: $names[0],
      skipped: ($skipped | lines | map(split("|") | { name: .[0], needs: .[1] })),
      targets: ($targets | lines | map(target($rounds))),
      medians: [$names[] as $name
        | [$rounds[] | select(.contestant == $name)] as $own
        | { contestant: $name, cases: ($own | map(.cases) | add | with_entries(.key as $case | .value = {
              value: ($own | map(.cases[$case] | values) | median),
              ratio: ([$own[] | select(.cases[$case] and $yardstick["\(.round)"][$case]) | .cases[$case] / $yardstick["\(.round)"][$case]]
                      | if . == [] then null else median end) })) }],
      $rounds };

# 3 significant digits, and blanks between thousands.
def figure:
  if . == null then ""
  elif . == 0 then "0"
  else (fabs | log10 | floor) as $size
    | if $size >= 2 then (round | tostring | [while(length > 0; .[:-3]) | .[-3:]] | reverse | join(" "))
      else pow(10; 2 - $size) as $scale | (. * $scale | round) / $scale | tostring end
  end;

def arguments($family):
  [.medians[].cases | keys[] | select(startswith($family + "/")) | split("/")[1] | tonumber] | unique;

# What of a family belongs to a contestant: a value for each argument, or one.
def of_family($family; $arguments):
  .cases as $cases
  | if $arguments == [] then [$cases[$family]] else [$arguments[] | $cases["\($family)/\(.)"]] end;

def padded: # rows of cells, the first to the left, the others to the right
  transpose | map((map(length) | max) as $width | map([., $width]))
  | transpose | map([to_entries[] | .value as [$text, $width] | (" " * ($width - ($text | length)) // "") as $gap
      | if .key == 0 then $text + $gap else $gap + $text end])
  | map("| " + join(" | ") + " |");

def table($family; $what):
  arguments($family) as $arguments
  | .yardstick as $yardstick
  | [[$what] + (if $arguments == [] then [$what] else $arguments | map(figure) end | map(., "×"))] as $head
  | [.medians[] | . as $row | of_family($family; $arguments) | select(any(. != null))
      | [$row.contestant] + map((.value | figure), (.ratio | figure))] as $rows
  | if $rows == [] then "*\($what)*: not measured here" else  # such as two cores where there is one
    ([[""] + ($head[0][1:] | if $arguments == [] then ["", "×"] else . end)] | .[0][0] = $what) as $head
    | ($head + $rows | padded)
    | .[0], (.[0] | gsub("[^|]"; "-") | gsub("-\\|"; ":|") | sub(":\\|"; "-|")), .[1:][]
    end;

def footer:
  "",
  "## What we want, and what was measured",
  "",
  (.targets[] | "- " + (if .met == null then "not measured" elif .met then "met" else "**missed**" end) + ": " + .words
     + " " + .limit + (if .measured then ": " + (.measured | figure) else "" end)),
  "",
  "× is the median of the ratios to the first line, round by round. Measured on \(.date): \(.machine | join(", ")).",
  "All of it, round by round: [\(.group).json](\(.group).json).",
  (if .skipped == [] then empty else "", "Skipped, because they are not installed:", "",
     (.skipped[] | "- \(.name): `apt-get install \(.needs)`") end);
