# Prints the first test that fails, from the XML report of Catch2; for tools/exercise. Variable: status
# (that the run has ended with).

function plain(text) {
  sub(/^ */, "", text)
  gsub(/&lt;/, "<", text)
  gsub(/&gt;/, ">", text)
  gsub(/&quot;/, "\"", text)
  gsub(/&amp;/, "\\&", text)
  return text
}

function attribute(name,    value) {
  if (!match($0, " " name "=\"[^\"]*\"")) return ""
  value = substr($0, RSTART, RLENGTH - 1)
  sub(/^[^"]*"/, "", value)
  return plain(value)
}

# Prints the text after `head`, in lines of 80 columns.
function fold(head, text,    room, n, line) {
  for (room = 80 - length(head); length(text) > room; text = substr(text, n + 1)) {
    for (n = room; n > 1 && substr(text, n, 1) != " "; n--);
    if (n == 1) n = room
    line = head substr(text, 1, n)
    sub(/ +$/, "", line)
    print line
    gsub(/./, " ", head)
  }
  print head text
}

# Prints a text of one line or more, after the name of the test if it is the first.
function say(indent, text,    line, n, i) {
  if (!told++) fold("  test.cpp         FAIL   ", test)
  n = split(text, line, "\n")
  for (i = 1; i <= n; i++) fold(indent, line[i])
}

# The text up to the end of this element, in one line or more.
function inside(    end, text) {
  end = $0
  sub(/^ *</, "</", end)
  sub(/[ >].*/, ">", end)
  while ((getline) > 0 && !index($0, end)) text = text (text == "" ? "" : "\n") plain($0)
  return text
}

/<TestCase / {
  test = attribute("name")
  tests++
}
/<Expression success="false"/ {
  type = attribute("type")
  say("    ", attribute("filename") ":" attribute("line") ": " type)
}
/<Original>/ { say("      ", original = inside()) }
/<Expanded>/ {
  expanded = inside()
  if (expanded != original) say("      ", expanded)
}
/<Exception / {
  say("      ", "an exception: " inside())
  type = ""
}
/<\/Expression>/ && type ~ /_THROWS/ {
  if (expanded ~ /^"Unknown exception" /) say("      ", "the exception that was thrown isn't a std::exception")
  else if (expanded == original) say("      ", "nothing was thrown")
}
/<FatalErrorCondition/ {
  text = inside()
  if (text ~ /^SIGTERM/) text = "it did not end (an endless loop, or a wait that never ends?)"
  else text = "stopped by signal " substr(text, 4)
  say("      ", text)
}
/<Failure/ { say("    ", attribute("filename") ":" attribute("line") ": " inside()) }
/^<\/Catch/ { complete = 1 }
END {
  if (!told && (status != 0 || !complete)) {
    if (!test) test = "the tests"
    say("    ", status == 0 ? "the program has ended in the middle of the tests" : "ended with exit status " status)
  }
  if (told) exit 1
  printf "  %-16s ok     %d test%s\n", "test.cpp", tests, tests == 1 ? "" : "s"
}
