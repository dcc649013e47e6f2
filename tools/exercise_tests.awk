# Tells of a run of Catch2 (its XML report) the first test that fails; for tools/exercise. Variable:
# status (that the run ended with).

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

function say(text) {
  if (!told++) printf "  %-16s FAIL   %s\n", "test.cpp", test
  printf "    %s\n", text
}

# The line after this one.
function inside() {
  getline
  return plain($0)
}

/<TestCase / {
  test = attribute("name")
  tests++
}
/<Expression success="false"/ { say(attribute("filename") ":" attribute("line") ": " attribute("type")) }
/<Original>/ { say("  " inside()) }
/<Expanded>/ { say("  " inside()) }
/<Exception / { say("  an exception: " inside()) }
/<FatalErrorCondition/ {
  text = inside()
  if (text ~ /^SIGTERM/) text = "it did not end (an endless loop?)"
  say("  stopped: " text)
}
/<Failure/ { say(attribute("filename") ":" attribute("line") ": " inside()) }
END {
  if (!told && status != 0) {
    if (!test) test = "the tests"
    say("ended with exit status " status)
  }
  if (told) exit 1
  printf "  %-16s ok     %d test%s\n", "test.cpp", tests, tests == 1 ? "" : "s"
}
