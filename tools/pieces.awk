# Where a piece of code ends; for tools/chapters.awk and tools/exercise_blank.awk. A piece begins with a
# line that is named by its text, and ends with the brace that closes it (or the semicolon, if it opens
# none).

function indent(line) {
  match(line, /^ */)
  return RLENGTH
}

# Does the piece of code that begins with a line at depth `depth` end with this line?
function closes(line, depth, first) {
  if (first) return line ~ /[;}]$/ && gsub(/[{]/, "{", line) == gsub(/[}]/, "}", line)
  return indent(line) == depth && line ~ /^ *[}]/ && line !~ /[{]$/
}
