# Prints where two files part, the expected and the found: the first different line, with one line before and after.
# With tools/learn/say.awk. Variables: program, name (of the expected file, as the reader knows it).

# One line as a column of the table: what cannot be seen is spelled out, and a long line is cut so
# that column `from` is in it. A line that begins or ends with a blank is in quotes.
function shown(line, there, from) {
  if (!there) return say("(the output has ended)")
  if (line ~ /^ | $/) line = "\"" line "\""
  if (from > 24) line = "..." substr(line, from - 10)
  gsub(/\t/, "\\t", line)
  gsub(/\r/, "\\r", line)
  gsub(/[^ -~\200-\377]/, "?", line)
  return length(line) > 32 ? substr(line, 1, 29) "..." : line
}

function row(mark, number, from) {
  if (!has_e[number] && !has_f[number]) return
  printf "    %1s %4d | %s | %s\n", mark, number, cell(shown(e[number], has_e[number], from), 32),
    shown(f[number], has_f[number], from)
}

function read_line(number) {
  has_e[number] = (getline e[number] < ARGV[1]) > 0
  has_f[number] = (getline f[number] < ARGV[2]) > 0
  return has_e[number] || has_f[number]
}

BEGIN {
  for (n = 1; read_line(n); n++) {
    if (has_e[n] != has_f[n] || (e[n] "") != (f[n] "")) break
    delete e[n - 2]
    delete f[n - 2]
  }
  if (!has_e[n] && !has_f[n]) {
    printf say("  %-16s FAIL   only the line end after the last line differs") "\n", program
    exit
  }
  if (has_e[n]) printf say("  %-16s FAIL   first difference at line %s of") "\n", program, n
  else printf say("  %-16s FAIL   more lines follow the last line of") "\n", program
  print "    " name
  print say("      line | expected                         | found")
  read_line(n + 1)
  for (column = 1; substr(e[n], column, 1) == substr(f[n], column, 1); column++) {
    if (column > length(e[n])) break
  }
  if (n > 1) row(" ", n - 1, 1)
  row(">", n, column)
  row(" ", n + 1, 1)
}
