# Prints FILE with the pieces blanked that an exercise leaves to the learner; see tools/exercise. Reads
# the file `exercise`, then FILE, whose name in there is `name`.
#
#   blank FILE: TEXT      the piece of FILE that starts with the line TEXT... keeps its head and its
#     // Your turn: ...   last line; the indented lines take the place of what is between

# The piece is read up to its end; prints what remains of it.
function blank(piece,    line, head) {
  print
  head = /[{]$/
  if (closes($0, depth, 1)) die("there is nothing between the braces of \"" text[piece] "\"")
  while ((getline line) > 0 && !closes(line, depth, 0)) {
    if (!head) print line
    if (line ~ /[{]$/) head = 1
  }
  printf "%s", instead[piece]
  print line
}

function die(message) {
  printf "%s: %s\n", name, message >"/dev/stderr"
  failed = 1
  exit 2
}

FNR == NR {
  if (/^ / && current) lines[current] = lines[current] $0 "\n"
  else current = 0
  if ($1 == "blank" && $2 == name ":") {
    text[current = ++n] = substr($0, index($0, ":") + 2)
  }
  next
}
{
  depth = indent($0)
  for (i = 1; i <= n; i++) {
    if (index(substr($0, depth + 1), text[i]) == 1) {
      if (times[i]++) die("\"" text[i] "\" begins more than one line")
      instead[i] = lines[i]
      margin = substr($0, 1, depth)
      gsub(/\n/, "\n" margin, instead[i])
      instead[i] = margin substr(instead[i], 1, length(instead[i]) - depth)
      blank(i)
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
