# Prints a file with the pieces blanked that an exercise leaves to the learner; see tools/exercise.sh.
# Reads the file `exercise`, then that file, whose name in there is the variable `name`.
#
#   blank FILE: TEXT      the piece of FILE that starts with the line TEXT... keeps its head and its
#     // Your turn: ...   last line; the indented lines take the place of what is between

function die(message) {
  printf "%s: %s\n", name, message >"/dev/stderr"
  failed = 1
  exit 2
}

# Reads the piece up to its end, and prints what remains of it.
function blank(piece, depth,    line, head) {
  print
  head = /[{]$/
  if (closes($0, depth, 1)) die("there is nothing between the braces of \"" text[piece] "\"")
  while ((getline line) > 0 && !closes(line, depth, 0)) {
    if (!head) print line
    if (line ~ /[{]$/) head = 1
  }
  instead(lines[piece], depth + 2)
  print line
}

# Prints these lines, the first at this depth.
function instead(lines, depth,    line, n, i, first) {
  n = split(lines, line, "\n")
  first = indent(line[1])
  for (i = 1; i < n; i++) printf "%*s%s\n", depth + indent(line[i]) - first, "", substr(line[i], indent(line[i]) + 1)
}

FNR == NR {
  if (/^ / && current) lines[current] = lines[current] $0 "\n"
  else current = 0
  if ($1 == "blank" && $2 == name ":") text[current = ++n] = substr($0, index($0, ":") + 2)
  next
}
{
  for (i = 1; i <= n; i++) {
    if (index(substr($0, indent($0) + 1), text[i]) == 1) {
      if (times[i]++) die("\"" text[i] "\" begins more than one line")
      blank(i, indent($0))
      next
    }
  }
  print
}
END {
  for (i = 1; i <= n && !failed; i++) {
    if (!times[i]) die("\"" text[i] "\" begins no line")
  }
}
