# Prints lists of the exercises; for tools/exercise/exercise. Reads the files `facts` and README.md of each exercise,
# for the mode `steps` first tools/steps, and lines such as "programs step03_scheduler two_tasks countdown", "stage 3 m3
# passed" and others, which it prints at the end. Variables:
#
#   mode     steps, list or table; see tools/exercise/exercise
#   step     the number of a step, for list and table
#   begun    the exercises that are in work/, and `solved`, those whose check has passed: " 1a 1b "

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
$1 == "stage" && FILENAME !~ "/" {
  yours[$2] = yours[$2] (yours[$2] ? ", " : "yours: ") $3 ($4 ? " " $4 : "")
  next
}
FILENAME !~ "/" {
  last = last $0 "\n"
  next
}
FNR == 1 {
  split(FILENAME, part, "/")
  at = part[3]
  if (part[4] == "facts") {
    number[++n] = at
    folder[at] = part[1]
    state[at] = index(solved, " " at " ") ? "solved" : index(begun, " " at " ") ? "begun" : ""
  } else {
    title[at] = substr($0, length("# " at ": ") + 1)
  }
}
part[4] == "facts" && $1 == "kind" { kind[at] = substr($0, 6) }
part[4] == "facts" && $1 == "minutes" { minutes[at] = $2 }

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
  if (line) printf "%26s%s\n", "", line
}

function print_steps(    s, i, text) {
  for (s = 1; s <= m; s++) {
    printf "%s  %-22s %s\n", s, steps[s], about[steps[s]]
    wrap(programs[steps[s]])
    wrap(yours[s])
    text = ""
    for (i = 1; i <= n; i++) {
      at = number[i]
      if (folder[at] == steps[s]) text = text (text ? "," : "exercises:") " " at (state[at] ? " " state[at] : "")
    }
    wrap(text)
  }
  printf "%s", last
}

END {
  if (mode == "steps") print_steps()
  for (i = 1; i <= n; i++) {
    at = number[i]
    if (substr(at, 1, 1) != step) continue
    if (mode == "list") {
      printf "  %s  %-7s %-9s  %3s min  %s\n", at, state[at], kind[at], minutes[at], title[at]
    } else if (mode == "table") {
      printf "| **%s** | %s | %s | %s |\n", at, title[at], kind[at], minutes[at]
    }
  }
}
