# Reads the resume() of a hand-rolled body: which states can follow each other, and what is yielded
# between them. For tools/state_pages.awk; uses lines (of the file), file and class, and states.
#
# From the `case State::x:` of a state, every way through the text is followed to the next `return`:
# into a loop and past it, through both sides of an `if`, out of a loop at `break`. A return with the
# `state_ = State::y` before it is an arrow from x to y; `return std::nullopt`, and a ReturnValue without a
# new state, is an arrow to the end. Only a `while (true)`, a `for` without a condition, and the first
# round of a `for` between two numbers are known to hold. What is not understood ends the program: no
# picture is better than a wrong one.

function unread(what) {
  die(file ":" at_line ": the states of " class " cannot be read: " what)
}

# The same text with the insides of strings blotted out.
function mask(s,    out, blot) {
  while (match(s, /"([^"\\]|\\.)*"|'([^'\\]|\\.)*'/)) {
    blot = substr(s, RSTART + 1, RLENGTH - 2)
    gsub(/./, "x", blot)
    out = out substr(s, 1, RSTART) blot substr(s, RSTART + RLENGTH - 1, 1)
    s = substr(s, RSTART + RLENGTH)
  }
  return out s
}

function count(s, character) { return gsub(character, "", s) }
function balanced(s) { return count(s, "[(]") == count(s, "[)]") && count(s, "[{]") == count(s, "[}]") }

# Where the bracket that opens at place `i` closes.
function closing(s, i,    depth, c) {
  for (; i <= length(s); i++) {
    c = substr(s, i, 1)
    depth += (c == "(") - (c == ")")
    if (!depth) return i
  }
}

# Cuts the lines from..to into statements: kind[1..statements], word (state, condition or value),
# where (line), partner (what opens or closes the block), and for a break the block that it leaves.
function parse(from, to,    i, raw, masked, m, r, k) {
  statements = depth = 0
  split("", kind)
  for (i = from; i <= to; i++) {
    at_line = i
    raw = lines[i]
    sub(/^ */, "", raw)
    masked = mask(raw)
    if (match(masked, / *[\/][\/]/)) {
      raw = substr(raw, 1, RSTART - 1)
      masked = substr(masked, 1, RSTART - 1)
    }
    if (raw == "") continue
    if (m == "") begun = i
    m = m (m == "" ? "" : " ") masked
    r = r (r == "" ? "" : " ") raw
    k = m
    if (k ~ /[{]$/) sub(/[{]$/, "", k)
    if (k ~ /^[}]/) sub(/^[}]/, "", k)
    if ((m ~ /[;{]$/ || m ~ /^case .*:$/ || m == "}") && balanced(k)) {
      statement(m, r)
      m = r = ""
    }
  }
  if (m != "" || depth) unread("a statement or a block has no end")
}

function add(k, w) {
  kind[++statements] = k
  word[statements] = w
  where[statements] = begun
}

function open(k, w) {
  add(k, w)
  opened[++depth] = statements
}

function close_block(k, w) {
  add(k, w)
  partner[statements] = opened[depth]
  partner[opened[depth]] = statements
  depth--
}

function condition(r) {
  return substr(r, index(r, "(") + 1, closing(r, index(r, "(")) - index(r, "(") - 1)
}

BEGIN {
  words = "[^A-Za-z_0-9](state_|return|break|continue|goto|case|default|switch|while|for|do)[^A-Za-z_0-9]"
}

function statement(m, r,    i, part) {
  if (m ~ /^case State::[a-z_0-9]+:;?$/) add("label", substr(m, 13, match(m, /:;?$/) - 13))
  else if (m ~ /^state_ = State::[a-z_0-9]+;$/) add("set", substr(m, 17, length(m) - 17))
  else if (m ~ /^return .*;$/) add("return", substr(r, 8, length(r) - 8))
  else if (m ~ /^throw .*;$/) add("throw")
  else if (m == "break;") {
    for (i = depth; i > 0 && kind[opened[i]] ~ /^(if|else)$/;) i--
    add("break")
    partner[statements] = opened[i]
  } else if (m == "switch (state_) {") open("switch")
  else if (m ~ /^while \(.*\) [{]$/) open("loop", condition(r))
  else if (m ~ /^for \(.*\) [{]$/) {
    if (split(condition(m), part, / *; */) != 3) unread(r)
    first_holds[statements + 1] = holds(part[1], part[2])
    split(condition(r), part, / *; */)
    open("loop", part[2] == "" ? "true" : part[2])
  } else if (m ~ /^if \(.*\) [{]$/) open("if", condition(r))
  else if (m == "do {") open("do")
  else if (m == "}" && depth && kind[opened[depth]] != "do") close_block("close")
  else if (m == "} else {" && kind[opened[depth]] == "if") {
    close_block("close")
    open("else")
  } else if (m ~ /^[}] while \(.*\);$/ && kind[opened[depth]] == "do") close_block("until", condition(r))
  else if (m ~ /^if \(/ && substr(m, closing(m, 4) + 2) ~ /^(return .*|break);$/) {
    open("if", condition(r))
    statement(substr(m, closing(m, 4) + 2), substr(r, closing(r, 4) + 2))
    close_block("close")
  } else if (m !~ /;$/ || m ~ /^else / || (" " m " ") ~ words) unread(r)
}

# Is `v = 1` followed by `v <= 10` known to hold?
function holds(start, test,    a, b) {
  if (split(start, a, " ") != 3 || split(test, b, " ") != 3 || a[1] != b[1] || a[2] != "=") return 0
  if (a[3] !~ /^-?[0-9]+$/ || b[3] !~ /^-?[0-9]+$/) return 0
  return (b[2] == "<" && a[3] + 0 < b[3] + 0) || (b[2] == "<=" && a[3] + 0 <= b[3] + 0)
}

# Follows the text from statement i. `next_state` is what state_ was set to, `guards` the conditions on
# the way, a line each, `way` the statements passed.
function follow(i, next_state, guards, way,    k, n) {
  if (i > statements) unread("it can run off its end")
  if (index(way, "," i ",")) return  # round a loop in one turn: its ways out have been taken
  way = way i ","
  k = kind[i]
  n = partner[i]
  if (k == "return") arrow(next_state, guards, i)
  else if (k == "throw") return
  else if (k == "set") follow(i + 1, word[i], guards, way)
  else if (k == "break") follow(partner[n] + 1, next_state, guards, way)
  else if (k == "loop") test(i, first_holds[i], next_state, guards, way)
  else if (k == "until") {
    follow(n + 1, next_state, also(guards, "if", word[i]), way)
    follow(i + 1, next_state, also(guards, "unless", word[i]), way)
  } else if (k == "if" && n == i + 1 && (kind[n + 1] != "else" || partner[n + 1] == n + 2)) {
    follow(n + 1, next_state, guards, way)  # nothing in it decides where the body stops
  } else if (k == "if") {
    follow(i + 1, next_state, also(guards, "if", word[i]), way)
    follow(n + 1 + (kind[n + 1] == "else"), next_state, also(guards, "unless", word[i]), way)
  } else if (k == "else") follow(n + 1, next_state, guards, way)  # from the end of its if
  else if (k == "close" && kind[n] == "loop") test(n, 0, next_state, guards, way)
  else follow(i + 1, next_state, guards, way)
}

function test(i, sure, next_state, guards, way) {
  sure = sure || word[i] == "true"
  follow(i + 1, next_state, sure ? guards : also(guards, "if", word[i]), way)
  if (!sure) follow(partner[i] + 1, next_state, also(guards, "unless", word[i]), way)
}

function also(guards, how, what) {
  if (how == "unless" && what ~ /^![^ ]+$/) {
    how = "if"
    what = substr(what, 2)
  }
  return guards (guards == "" ? "" : "\n") how " " what
}

function arrow(target, guards, i,    value, key, inverse) {
  at_line = where[i]
  value = word[i]
  if (value == "std::nullopt" || (target == "" && value ~ /^ReturnValue[{]/)) target = "the end"
  else if (target == "" || value ~ /nullopt/) unread("return " value)
  if (value == "std::nullopt") value = ""
  key = from_state SUBSEP target SUBSEP where[i] SUBSEP value
  if (key in ways) {
    inverse = "unless " substr(ways[key], 4) "\n"  # "if A, or unless A, unless B" says "if A, or unless B"
    if (index(guards, inverse) == 1) guards = substr(guards, length(inverse) + 1)
    guards = ways[key] "\nor " guards
  } else order[++arrows] = key
  ways[key] = guards
}

