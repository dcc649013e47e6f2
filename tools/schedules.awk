# Copies a page and fills its schedules; see tools/schedules.

function die(message) {
  print "tools/schedules: " message >"/dev/stderr"
  failed = 1
  exit 2
}

# The first line of a file that matches; "" if there is none.
function find_line(file, pattern,    line, found) {
  while (!found && (getline line < file) > 0) found = line ~ pattern
  close(file)
  return found ? line : ""
}

# How many minutes a step takes to teach.
function teaching(step,    words, line) {
  line = find_line(folder[step] "/README.md", "^[*]Time: [0-9]+ minutes to read, [0-9]+ to teach;")
  if (line == "") die(folder[step] "/README.md does not say how long it takes")
  split(line, words, " ")
  return words[6] + 0
}

# The exercises of a step, in their order: exercise[step, i], what_to_do[step, i], takes[step, i].
function read_exercises(step,    command, file, line) {
  command = "ls -d " folder[step] "/exercises/*/exercise 2>/dev/null"
  while ((command | getline file) > 0) {
    line = find_line(file, "^minutes [0-9]+$")
    if (line == "") die(file " does not say how long it takes")
    takes[step, ++exercises[step]] = substr(line, 9) + 0
    line = find_line(file, "^kind ")
    sub(/\/exercise$/, "", file)
    what_to_do[step, exercises[step]] = substr(find_line(file "/README.md", "^# "), 3) " (" substr(line, 6) ")"
    exercise[step, exercises[step]] = file
  }
  close(command)
}

function row(minutes, words) {
  printf "| %d:%02d | %d | %s |\n", int(clock / 60), clock % 60, minutes, words
  clock += minutes
}

function schedule(plan,    n, item, i, j, words, head, whole, left, round, any, keep) {
  head = plan
  sub(/:[^:0-9].*/, "", head)
  split(head, words, " ")
  whole = left = words[1]
  split(words[3], words, ":")
  clock = words[1] * 60 + words[2]
  n = split(substr(plan, length(head) + 2), item, ";")
  for (i = 1; i <= n; i++) {
    gsub(/^ +| +$/, "", item[i])
    chosen[i] = 0
    if (item[i] in folder) {
      minutes[i] = teaching(item[i])
    } else {
      match(item[i], / [0-9]+$/)
      if (!RLENGTH) die("how many minutes does \"" item[i] "\" take?")
      minutes[i] = substr(item[i], RSTART + 1) + 0
      item[i] = substr(item[i], 1, RSTART - 1)
    }
    left -= minutes[i]
  }
  keep = whole / 10
  if (left < keep) die("the schedule of " whole " minutes does not fit: " left " would remain")

  any = 1
  for (round = 1; any; round++) {
    any = 0
    for (i = 1; i <= n; i++) {
      if (!(item[i] in folder) || round > exercises[item[i]]) continue
      any = 1
      if (chosen[i] == round - 1 && left - takes[item[i], round] >= keep) {
        chosen[i] = round
        left -= takes[item[i], round]
      }
    }
  }

  print "\n| at | minutes | |\n|---:|---:|---|"
  for (i = 1; i <= n; i++) {
    if (i == n) row(left, "Kept free: questions, and all that took longer")
    if (!(item[i] in folder)) {
      row(minutes[i], item[i])
      continue
    }
    row(minutes[i], "**[Step " item[i] "](../../" folder[item[i]] "/README.md)**: " about[item[i]])
    for (j = 1; j <= chosen[i]; j++) {
      row(takes[item[i], j], "exercise [" what_to_do[item[i], j] "](../../" exercise[item[i], j] "/README.md)")
    }
  }
  print ""
}

BEGIN {
  while ((getline line < "tools/steps") > 0) {
    split(line, part, " ")
    number = substr(part[1], 6, 1)
    folder[number] = part[1]
    sub(/^[^ ]+ +/, "", line)
    about[number] = line
    read_exercises(number)
  }
}

/^```/ && !generated { fenced = !fenced }
/^<!-- end -->$/ { generated = 0 }
!generated { print }
/^<!-- schedule / && !fenced {
  if (generated) die("a schedule has no end")
  generated = 1
  plan = $0
  sub(/^<!-- schedule /, "", plan)
  sub(/ -->$/, "", plan)
  schedule(plan)
}
END {
  if (generated && !failed) die("a schedule has no end")
}
