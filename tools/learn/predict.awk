# Writes the predictions of the pages that it reads into files in the variable `folder`, for tools/learn/predict: where.1
# has the page and the heading, before.1 the paragraph before the question, if there is one, question.1 the question,
# answer.1 the answer, and judge.1 the accepted forms of a short answer, if there are any. If `review` is a file, only the
# predictions whose first lines are in it.
#
# A prediction begins with the line "**Predict.**", in a Chinese page "**猜一猜。**", and its answer is in a <details>.
# docs/CONTRIBUTING.md shows one.

BEGIN {
  while (review && (getline line <review) > 0) missed[line]
}
FNR == 1 { part = code = "" }
/^```/ {
  code = code ? "" : $0
  next
}
/^<!-- judge: / && part == "answer" { print substr($0, 13, length($0) - 16) >(folder "/judge." n) }
/^<!--/ && !code { next }
/^#/ && !code {
  heading = $0
  gsub(/^#+ *|`/, "", heading)
}
/^[*][*](Predict[.]|猜一猜。)[*][*]$/ {
  part = "ask"
  next
}
!part && (code || /^[#|<>]/) { before = last = "" }
!part && !code && !/^[#|<>]/ && !/[.]\/learn predict/ {
  if ($0) before = before $0 "\n"
  else if (before) { last = before; before = "" }
}
part == "ask" {
  part = ""
  if (review && !(FILENAME ": " $0 in missed)) next
  n++
  print FILENAME ": " $0 >(folder "/key." n)
  print FILENAME ", " heading >(folder "/where." n)
  part = "before"
  lines = split(last, said, "\n")
  for (i = 1; i < lines; i++) wrap(plain(said[i]))
  before = last = ""
  part = "question"
}
/^<details>/ && part {
  part = "answer"
  next
}
/^<\/details>/ { part = "" }
part && code { wrap("    " $0) }
part && !code { wrap(plain($0)) }

function plain(line,    link) {
  gsub(/[*][*]/, "", line)
  while (match(line, /\[[^]]*\]\([^)]*\)/)) {
    link = substr(line, RSTART + 1, RLENGTH - 1)
    sub(/\].*/, "", link)
    line = substr(line, 1, RSTART - 1) link substr(line, RSTART + RLENGTH)
  }
  return line
}

# Writes a line in at most 80 columns. The comment of a long command is written before it, and a command that goes on in
# the next line says so; it isn't broken inside quotes. The listings of the chapters are narrow enough. Chinese is for the
# terminal to break, since it has no blanks.
function wrap(line,    command, at, head) {
  command = code ~ /sh$/
  if (command && length(line) > 80 && match(line, / +# /)) {
    print "    " substr(line, RSTART + RLENGTH - 2) >(folder "/" part "." n)
    line = substr(line, 1, RSTART - 1)
  }
  while (length(line) > 80 && (command || !code && FILENAME !~ /[.]zh[.]md$/)) {
    at = command ? 80 : 82
    do {
      head = substr(line, 1, --at - 1)
    } while (at > 8 && (substr(line, at, 1) != " " || command && gsub(/'/, "'", head) % 2))
    if (at == 8) break
    print head (command ? " \\" : "") >(folder "/" part "." n)
    line = (command ? "        " : "") substr(line, at + 1)
  }
  print line >(folder "/" part "." n)
}
