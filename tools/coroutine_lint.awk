# Looks at one file for tools/coroutine_lint. It reads C++ as a row of statements, which end at ; {
# or }, and keeps a stack of what the open braces belong to.

function found(rule) {
  printf "%s:%d: %s\n  %s\n", FILENAME, FNR, rule, statement
  failed = 1
}

# Takes out what is no code: comments, and what stands between quotes.
function code_of(line) {
  gsub(/\\./, "", line)
  gsub(/"[^"]*"/, "\"\"", line)
  gsub(/'[^']*'/, "0", line)
  sub(/\/\/.*/, "", line)
  return line
}

# The parameters of the function or lambda whose head this is.
function parameters(head,    i, depth, from, c) {
  sub(/^.*\][ ]*\(/, "(", head)
  from = index(head, "(")
  for (i = from; i <= length(head); i++) {
    c = substr(head, i, 1)
    if (c == "(") depth++
    if (c == ")" && --depth == 0) return substr(head, from, i - from + 1)
  }
  return substr(head, from)
}

# The brace that opens here belongs to ...
function kind_of(head) {
  if (head ~ /(^| )(class|struct|union|enum)( |$)/ && head !~ /\(/) return "class"
  if (head ~ /(^| )namespace( |$)/) return "block"
  if (head ~ /(^| )(if|for|while|switch|catch)( constexpr)? *\(/ || head ~ /(^| )(do|else|try)$/)
    return "block"
  if (head ~ /\)[^=]*$/) return "function"
  if (head ~ /\[[^]]*\] *(mutable *)?(->.*)?$/) return "function"
  return "block"
}

# A statement with co_ in it stands in a coroutine: is that one's head as it should be?
function check_head(    i, head, captures) {
  for (i = depth; i > 0 && kind[i] != "function"; i--);
  if (i == 0 || checked[i]) return
  checked[i] = 1
  head = heads[i]
  gsub(/\[\[[a-z_]*\]\]/, "", head)  # an attribute is no lambda
  if (head ~ /\[[^]]*\]/) {
    captures = head
    sub(/\].*/, "", captures)
    sub(/.*\[/, "", captures)
    if (captures != "") found("a lambda that is a coroutine must not capture: pass what it needs")
  } else if (kind[i - 1] == "class" && head !~ /(^| )static /) {
    found("a coroutine that is a member keeps only a pointer to its object: make it a free function")
  }
  if (parameters(head) ~ /&/) found("coroutine parameters by value: the caller's may be gone")
}

function check(end,    rest) {
  if (statement ~ /co_(await|yield|return)/ && statement !~ /operator co_await/) check_head()
  if (statement ~ /(^| )throw$/ && depth > 0 && heads[depth] ~ /unhandled_exception/)
    found("unhandled_exception() must store the exception, not rethrow it")
  if (statement ~ /await_ready *\(/ && classes[depth] != "") {
    awaiter_line[classes[depth]] = FNR
  }
  if (statement !~ /co_(await|yield)/ || statement ~ /operator co_await/) return
  if (end != ";") {
    found("an awaiting statement must have no braces, lambdas or conditions: name them first")
    return
  }
  rest = statement
  if (!sub(/^(co_return |[A-Za-z_*][A-Za-z0-9_:<>,*&. -]* = )?co_(await|yield) /, "", rest))
    found("write only `co_await e;`, `x = co_await e;` or `co_return co_await e;`")
  else if (rest ~ /co_(await|yield)/)
    found("one co_await in a statement")
  else if (rest ~ /[?]/)
    found("no ?: in an awaiting statement: use if and else")
  else if (rest ~ /\[[^]]*\] *\(/)
    found("no lambda in an awaiting statement: name it first")
}

function take(line,    i, c) {
  for (i = 1; i <= length(line); i++) {
    c = substr(line, i, 1)
    if (c == "(") parentheses++
    if (c == ")") parentheses--
    if (c !~ /[;{}]/ || (c == ";" && parentheses > 0)) {
      statement = statement c
      continue
    }
    gsub(/[ \t]+/, " ", statement)
    sub(/^ /, "", statement)
    sub(/ $/, "", statement)
    check(c)
    if (c == "{") {
      open_parentheses[++depth] = parentheses  # of a call that has a lambda in it
      parentheses = 0
      heads[depth] = statement
      kind[depth] = kind_of(statement)
      checked[depth] = 0
      classes[depth] = ""
      if (kind[depth] == "class" && match(statement, /(class|struct) ([[][^]]*[]]* )?[A-Za-z_:<>]*/)) {
        classes[depth] = substr(statement, RSTART, RLENGTH)
        sub(/.*[ :]/, "", classes[depth])
      }
    }
    if (c == "}" && depth > 0) parentheses = open_parentheses[depth--]
    statement = ""
  }
  statement = statement " "
}

BEGIN { chapter = ARGV[1] ~ /[.]md$/ }
/^<!-- code (pitfalls|canaries)/ { broken = 1 }
/^<!-- end -->$/ { broken = 0 }
chapter && /^```/ {
  inside = /^```cpp/ && !broken
  statement = ""
  depth = parentheses = 0
  next
}
chapter && !inside { next }
/^ *#/ { next }
{
  text = text $0 "\n"
  take(code_of($0))
}
END {
  for (name in awaiter_line)
    if (text !~ "[^~A-Za-z_]" name "\\(") {
      printf "%s:%d: %s has await_ready() but no constructor\n", FILENAME, awaiter_line[name], name
      failed = 1
    }
  exit failed
}
