# Prints the steps, their programs and their exercises; for ./learn list. Reads tools/steps, and lines
# such as "programs step03_scheduler two_tasks countdown".

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

$1 ~ /^step/ {
  step[++n] = $1
  sub(/^[^ ]* */, "")
  title[n] = $0
}
$1 == "programs" || $1 == "exercises" {
  kind = $1
  of = $2
  sub(/^[^ ]* [^ ]* /, "")
  if (kind == "programs") gsub(/ /, ", ")
  text[of, kind] = kind ": " $0
}
END {
  for (i = 1; i <= n; i++) {
    printf "%s  %-22s %s\n", substr(step[i], 6, 1), step[i], title[i]
    wrap(text[step[i], "programs"])
    wrap(text[step[i], "exercises"])
  }
}
