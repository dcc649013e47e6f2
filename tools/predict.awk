# Writes the questions and the answers of a chapter's predictions into files: question.1, answer.1, ... in
# the variable `folder`; for tools/predict. A question begins with the heading "Predict" or with a line
# "**Predict.**", and ends before the next heading, or after its paragraph. The answer is what follows, up to
# the next question, to code, or to the next heading, unless this is "Run it" or "What you saw".

function put(line) {
  gsub(/[*][*]/, "", line)
  while (match(line, /\[[^]]*\]\([^)]*\)/)) {
    link = substr(line, RSTART + 1, RLENGTH - 1)
    sub(/\].*/, "", link)
    line = substr(line, 1, RSTART - 1) link substr(line, RSTART + RLENGTH)
  }
  paragraph = paragraph line "\n"
}

# Writes the paragraph before the last one. The last one is held, because code may follow.
function flush() {
  if (paragraph !~ /[^\n]/) return
  write()
  held = paragraph
  file = folder "/" part "." n
  paragraph = ""
}

function write(    i, n, line) {
  n = held ~ /[^\n]/ ? split(held, line, "\n") : 0
  for (i = 1; i <= n; i++) wrap(line[i])
  held = ""
}

# Writes a line in at most 80 columns. The comment of a long line of code is written before this line.
function wrap(line,    code, at) {
  code = line ~ /^    /
  if (code && length(line) > 80 && match(line, /[^ ] +# /)) {
    print "    " substr(line, RSTART + RLENGTH - 2) >file
    line = substr(line, 1, RSTART)
  }
  while (length(line) > 80) {
    for (at = code ? 79 : 81; at > 8 && substr(line, at, 1) != " "; at--) {}
    if (at == 8) break
    print substr(line, 1, at - 1) (code ? " \\" : "") >file
    line = (code ? "        " : "") substr(line, at + 1)
  }
  print line >file
}

function begin(title) {
  flush()
  n++
  part = "question"
  if (title) put(title "\n")
}

/^```/ {
  code = !code
  next
}
code {
  if (part) put("    " $0)
  next
}
/^<!-- code/ && part == "answer" { # the sentence before it is about the code
  flush()
  sub(/(^|\n)[^\n]*:\n$/, "\n", held)
  write()
  part = ""
}
/^<!--/ { next }
/^## Predict/ {
  begin()
  section = 1
  next
}
/^[*][*]Predict[.]/ {
  begin(heading)
  section = 0
  sub(/^[^.]*[.][*][*] */, "")
  if ($0) put($0)
  next
}
/^##/ {
  flush()
  heading = $0
  sub(/^#+ */, "", heading)
  part = section && /^## (Run it|What you saw)$/ ? "answer" : ""
  next
}
/^Write down your answer/ || /^\(The program doesn't print this/ { next }
/^$/ {
  flush()
  if (part == "question" && !section) part = "answer"
  next
}
part { put($0) }
END {
  flush()
  write()
}
