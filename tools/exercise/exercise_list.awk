# Prints the steps, with their programs, the reader's stages and the exercises. Reads the lines of overview() in
# tools/exercise/exercise, lines such as "programs	step03_scheduler	two_tasks countdown", and then tools/steps.

FILENAME == "-" && $1 == "programs" {
  programs[$2] = $3
  gsub(/ /, ", ", programs[$2])
  next
}
FILENAME == "-" {
  named = $1 ($2 ? " " $2 : "")
  if (/^m/) yours[$3] = yours[$3] (yours[$3] ? ", " : "") named
  else exercises[$3] = exercises[$3] (exercises[$3] ? ", " : "") named
  next
}

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
{
  about = substr($0, length($1) + 1)
  gsub(/^ *| [|] .*/, "", about)
  printf "%s  %-22s %s\n", FNR, $1, about
  wrap("programs: " programs[$1])
  if (FNR in yours) wrap("yours: " yours[FNR])
  if (FNR in exercises) wrap("exercises: " exercises[FNR])
}
