# Prints a file without the pieces that an exercise leaves to the learner. Reads the file `facts`, which
# docs/CONTRIBUTING.md describes, then that file, whose name is the variable `name`. A piece begins with a line that is
# named by its text, and ends with the brace that closes it. That is not to read C++: in the layout of clang-format, it is
# the next brace in the column of this line. A patch would need our code once more.

function indent(line) {
  match(line, /^ */)
  return RLENGTH
}

function die(message) {
  printf "%s: %s\n", name, message >"/dev/stderr"
  failed = 1
  exit 2
}

# Prints the lines that replace a piece, the first one at this depth.
function replace(lines, depth,    line, n, i, first) {
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
inside && /^ *[}]/ && !/[{]$/ && indent($0) == depth {
  replace(lines[inside], depth + 2)
  inside = 0
}
!inside || !head { print }
inside && /[{]$/ { head = 1 }
!inside {
  for (i = 1; i <= n; i++) {
    if (index(substr($0, indent($0) + 1), text[i]) != 1) continue
    if (times[i]++) die("\"" text[i] "\" begins more than one line")
    inside = i
    depth = indent($0)
    head = /[{]$/
  }
}
END {
  for (i = 1; i <= n && !failed; i++) {
    if (!times[i]) die("\"" text[i] "\" begins no line")
  }
}
