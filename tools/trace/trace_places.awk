# Copies a source file and lets its bodies say where they stop: a call of recorder::at() comes before
# the value of each return of a resume(), before each statement with co_yield, co_await or co_return,
# and before the end of a coroutine. No line moves. Variable: name (of the file).
#
# tools/trace/record_lines.py knows these places from gdb. But that needs gdb and g++, and doesn't know step 9, and here a
# learner has any compiler.

# What the line yields: the pseudo code in its comment, `// id = yield get_task_id()`, or the text after the
# keyword.
function text(line) {
  if (match(line, /yield [a-zA-Z_]+[(].*[)]/)) return substr(line, RSTART + 6, RLENGTH - 6)
  sub(/.*(co_await|co_yield|co_return|return) /, "", line)
  sub(/;.*/, "", line)
  return line
}

function at() {
  return "recorder::at(\"" name ":" FNR "\", R\"~(" text($0) ")~\", __func__)"
}

{ code = $0; sub(/ *\/\/.*/, "", code) }
code ~ / resume(_with)?[(].*[{]$/ { by_hand = 1 }
code == "  }" { by_hand = 0 }
by_hand && code ~ /^ *return [^{;]/ {
  call = at()
  after = index($0, "return ") + 7
  $0 = substr($0, 1, after - 1) call ", " substr($0, after)
}
code ~ /co_(yield|await|return)/ {
  if (before !~ /^$|[;{}:]$/) {
    printf "%s:%d: a statement of several lines\n", FILENAME, FNR >"/dev/stderr"
    exit 1
  }
  coroutine = 1
  $0 = at() "; " $0
}
$0 == "}" {
  if (coroutine) $0 = at() "; }"
  coroutine = 0
}
{ print }
code !~ /^ *$/ { before = code }
