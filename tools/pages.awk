# What the generated pages of the site share: C++ as HTML. Load it before the awk of a page:
# awk -f tools/pages.awk -f tools/diff_pages.awk ...

BEGIN {
  keywords("keywordflow", "break case catch co_await co_return co_yield continue do else for if return " \
    "switch throw try while")
  keywords("keywordtype", "auto bool char double int long short unsigned void")
  keywords("keyword", "class const constexpr default delete enum explicit false final friend inline mutable " \
    "namespace new noexcept nullptr operator override private protected public requires sizeof static " \
    "static_cast struct template this true typename union using virtual volatile")
}

function keywords(class, words,    list, n) {
  for (n = split(words, list, " "); n > 0; n--) class_of[list[n]] = class
}

function die(message) {
  print message >"/dev/stderr"
  failed = 1
  exit 2
}

function html(text) {
  gsub(/&/, "\\&amp;", text)
  gsub(/</, "\\&lt;", text)
  gsub(/>/, "\\&gt;", text)
  gsub(/"/, "\\&quot;", text)
  return text
}

function span(class, text) {
  return class ? "<span class=\"" class "\">" html(text) "</span>" : html(text)
}

# A line of C++ with Doxygen's classes for the colours. It knows no raw strings and no comments but
# `//`; the project has no others.
function paint(line,    out, word) {
  if (line ~ /^#/ && match(line, /^#[a-z]+/)) {
    return span("preprocessor", substr(line, 1, RLENGTH)) paint(substr(line, RLENGTH + 1))
  }
  while (line != "") {
    if (line ~ /^[\/][\/]/) return out span("comment", line)
    if (match(line, /^"([^"\\]|\\.)*"/)) word = span("stringliteral", substr(line, 1, RLENGTH))
    else if (match(line, /^'([^'\\]|\\.)*'/)) word = span("charliteral", substr(line, 1, RLENGTH))
    else if (match(line, /^[0-9][0-9A-Za-z_']*/)) word = html(substr(line, 1, RLENGTH))
    else if (match(line, /^[A-Za-z_][0-9A-Za-z_]*/)) {
      word = substr(line, 1, RLENGTH)
      word = span(class_of[word], word)
    } else if (match(line, /^[^0-9A-Za-z_"'\/]+/)) word = html(substr(line, 1, RLENGTH))
    else {
      RLENGTH = 1
      word = html(substr(line, 1, 1))
    }
    out = out word
    line = substr(line, RLENGTH + 1)
  }
  return out
}

function base(file) {
  sub(/.*[\/]/, "", file)
  return file
}

# A name of a file as an id.
function id_of(file) {
  gsub(/[^A-Za-z0-9]/, "_", file)
  return file
}

# Reads a file into lines[1..]; returns how many.
function read_lines(file, lines,    line, n) {
  while ((getline line < file) > 0) lines[++n] = line
  close(file)
  if (!n) die(file " is not there, or empty")
  return n + 0
}
