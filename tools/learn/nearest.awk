# Prints the line of the input that is nearest to the variable `word`, unless none is near. The distance is the number of
# letters to insert, to delete or to replace.

function distance(a, b,    i, j, d) {
  for (i = 0; i <= length(a); i++) d[i, 0] = i
  for (j = 1; j <= length(b); j++) {
    d[0, j] = j
    for (i = 1; i <= length(a); i++) {
      d[i, j] = d[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1))
      if (d[i - 1, j] < d[i, j]) d[i, j] = d[i - 1, j] + 1
      if (d[i, j - 1] < d[i, j]) d[i, j] = d[i, j - 1] + 1
    }
  }
  return d[length(a), length(b)]
}

BEGIN {
  nearest = 3
  word = tolower(word)
}
{
  n = index($0, word) == 1 ? 1 : distance(word, $0) # the beginning of a word is near
  if (n < nearest && n < length(word)) {
    nearest = n
    found = $0
  }
}
END { if (found) print found }
