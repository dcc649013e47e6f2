# Prints lists of the exercises; for tools/exercise. Reads the files `exercise` and README.md of each exercise, for the
# mode `steps` first tools/steps and lines such as "programs step03_scheduler two_tasks countdown". Variables:
#
#   mode     steps, list, next, number, progress or table; see tools/exercise
#   step     the number of a step, for list and table
#   begun    the exercises that are in work/, and `solved`, those whose check has passed: " 1a 1b "
#   after    the exercise with which the search for the next one begins

FILENAME == "tools/steps" {
  steps[++m] = $1
  about[$1] = substr($0, length($1) + 1)
  gsub(/^ *| [|] .*/, "", about[$1])
  next
}
$1 == "programs" && FILENAME !~ "/" {
  programs[$2] = "programs:"
  for (i = 3; i <= NF; i++) programs[$2] = programs[$2] " " $i (i < NF ? "," : "")
  next
}
FNR == 1 {
  split(FILENAME, part, "/")
  at = part[3]
  if (part[4] == "exercise") {
    number[++n] = at
    all = all " " at
    folder[at] = part[1]
    state[at] = index(solved, " " at " ") ? "solved" : index(begun, " " at " ") ? "begun" : ""
  } else {
    title[at] = substr($0, length("# " at ": ") + 1)
  }
}
part[4] == "exercise" && $1 == "kind" { kind[at] = substr($0, 6) }
part[4] == "exercise" && $1 == "minutes" { minutes[at] = $2 }

# Prints text in the columns 27 to 80.
function wrap(text,    n, i, word, line) {
  n = split(text, word, " ")
  for (i = 1; i <= n; i++) {
    if (length(line) + length(word[i]) > 53) {
      printf "%26s%s\n", "", line
      line = ""
    }
    line = line (line ? " " : "") word[i]
  }
  printf "%26s%s\n", "", line
}

function print_steps(    s, i, text) {
  for (s = 1; s <= m; s++) {
    printf "%s  %-22s %s\n", s, steps[s], about[steps[s]]
    wrap(programs[steps[s]])
    text = ""
    for (i = 1; i <= n; i++) {
      at = number[i]
      if (folder[at] == steps[s]) text = text (text ? "," : "exercises:") " " at (state[at] ? " " state[at] : "")
    }
    wrap(text)
  }
}

function left(minutes) {
  if (minutes < 90) return minutes " minutes"
  return int(minutes / 60 + 0.5) " hours"
}

function progress(    i, done, rest) {
  for (i = 1; i <= n; i++) {
    if (state[number[i]] == "solved") done++
    else rest += minutes[number[i]]
  }
  if (done == n) return "[" n " of " n "]"
  return "[" done + 0 " of " n ", about " left(rest) " left]"
}

# The first exercise from `after` on that is not solved; if there is none, the first of all.
function next_one(    i, first, later) {
  for (i = n; i > 0; i--) {
    if (state[number[i]] == "solved") continue
    first = number[i]
    if (first >= after) later = first
  }
  return later ? later : first
}

function print_next(    at) {
  at = next_one()
  if (!at) {
    print "All " n " exercises are solved."
    return
  }
  printf "next: ./learn exercise %s   %s\n", at, title[at]
  printf "      (%s, %s minutes)\n", kind[at], minutes[at]
  if (at ~ /a$/ && state[at] == "") printf "      before it, read %s/README.md\n", folder[at]
  print "      " progress()
}

END {
  if (mode == "steps") print_steps()
  if (mode == "progress") print progress()
  else if (mode == "next" || mode == "steps") print_next()
  else if (mode == "number") print next_one()
  else if (mode == "table" && index(all, " " step)) {
    print "Each of these tells you how far you are: begin with `./learn exercise " step "a`.\n"
    print "| exercise | | | minutes |\n|---|---|---|---:|"
  }
  for (i = 1; i <= n; i++) {
    at = number[i]
    if (substr(at, 1, 1) != step) continue
    if (mode == "list") {
      printf "  %s  %-7s %-10s %3s min  %s\n", at, state[at], kind[at], minutes[at], title[at]
    } else if (mode == "table") {
      printf "| **%s** | %s | %s | %s |\n", at, title[at], kind[at], minutes[at]
    }
  }
}
