# Reads hand-rolled bodies and prints, as HTML, each with a picture of its states. See
# tools/state_pages. Arguments: C++ files. Variable: scratch, a folder.
#
# From the `case At::x:` of a state, every way through the text is followed to the next `return`:
# into a loop and past it, through both sides of an `if`, out of a loop at `break`. A return with the
# `at_ = At::y` before it is an arrow from x to y; `return std::nullopt`, and a ReturnValue without a
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

function statement(m, r,    i, part) {
  if (m ~ /^case At::[a-z_0-9]+:;?$/) add("label", substr(m, 10, match(m, /:;?$/) - 10))
  else if (m ~ /^at_ = At::[a-z_0-9]+;$/) add("set", substr(m, 11, length(m) - 11))
  else if (m ~ /^return .*;$/) add("return", substr(r, 8, length(r) - 8))
  else if (m ~ /^throw .*;$/) add("throw")
  else if (m == "break;") {
    for (i = depth; i > 0 && kind[opened[i]] ~ /^(if|else)$/;) i--
    add("break")
    partner[statements] = opened[i]
  } else if (m == "switch (at_) {") open("switch")
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
  } else if (m !~ /;$/ || m ~ /^else / ||
           (" " m " ") ~ /[^A-Za-z_0-9](at_|return|break|continue|goto|case|default|switch|while|for|do)[^A-Za-z_0-9]/) unread(r)
}

# Is `v = 1` followed by `v <= 10` known to hold?
function holds(start, test,    a, b) {
  if (split(start, a, " ") != 3 || split(test, b, " ") != 3 || a[1] != b[1] || a[2] != "=") return 0
  if (a[3] !~ /^-?[0-9]+$/ || b[3] !~ /^-?[0-9]+$/) return 0
  return (b[2] == "<" && a[3] + 0 < b[3] + 0) || (b[2] == "<=" && a[3] + 0 <= b[3] + 0)
}

# Follows the text from statement i. `next_state` is what at_ was set to, `guards` the conditions on
# the way, `way` the statements passed.
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
  return guards (guards == "" ? "" : ", ") how " " what
}

function arrow(target, guards, i,    value, key, inverse) {
  at_line = where[i]
  value = word[i]
  if (value == "std::nullopt" || (target == "" && value ~ /^ReturnValue[{]/)) target = "the end"
  else if (target == "" || value ~ /nullopt/) unread("return " value)
  if (value == "std::nullopt") value = ""
  key = from_state SUBSEP target SUBSEP where[i] SUBSEP value
  if (key in ways) {
    inverse = "unless " substr(ways[key], 4) ", "  # "if A; or unless A, unless B" says "if A; or unless B"
    if (index(guards, inverse) == 1) guards = substr(guards, length(inverse) + 1)
    guards = ways[key] "; or " guards
  } else order[++arrows] = key
  ways[key] = guards
}

function dot_text(s, most) {
  if (length(s) > most) s = substr(s, 1, most - 1) "..."
  gsub(/["\\]/, "\\\\&", s)
  return s
}

# The picture, for dot: what is yielded stands at the arrow, and below it the conditions.
function draw(    i, k, part, label, guard, n) {
  print "digraph {\nbgcolor=transparent ranksep=0.35 nodesep=0.4\n" \
    "node [shape=box style=rounded fontname=\"Courier\" fontsize=12 height=0.4 margin=\"0.14,0.05\"]\n" \
    "edge [fontname=\"Courier\" fontsize=10 arrowsize=0.7]" >dot_file
  for (i = 1; i <= states; i++) {
    printf "%s [label=\"%s\\nline %d\" class=\"%s\"%s]\n", state[i], state[i], line_of[state[i]],
      i == 1 ? "start" : "state", i == 1 ? " penwidth=2.5" : "" >dot_file
  }
  for (i = 1; i <= arrows; i++) {
    split(order[i], part, SUBSEP)
    if (part[2] == "the end" && !ends++) print "end [label=\"the end\" shape=ellipse class=\"end\"]" >dot_file
    label = part[4] == "" ? "" : dot_text(part[4], 44) "\\n"
    n = split(ways[order[i]], guard, /, |; /)
    for (k = 1; k <= n; k++) label = label dot_text(guard[k], 44) "\\n"
    printf "%s -> %s [label=\"%s\" class=\"%s\"%s]\n", part[1], part[2] == "the end" ? "end" : part[2], label,
      part[4] == "" ? "ending" : "yield", part[2] == "the end" ? " style=dashed" : "" >dot_file
  }
  ends = 0
  print "}" >dot_file
}

function code_span(s) { return s == "" ? "" : "<code>" html(s) "</code>" }

# The source with its line numbers; the lines where resume() goes on are marked.
function source(from, to,    i, text) {
  for (i = from; i <= to; i++) {
    text = text "<span class=\"line" (lines[i] ~ /^ *case At::/ ? " point" : "") "\" data-n=\"" i "\">" \
      paint(lines[i]) "\n</span>"
  }
  return "<pre class=\"listing\" role=\"group\" tabindex=\"0\" aria-label=\"" class " in " file "\">" text "</pre>\n"
}

function table(    i, part, text) {
  text = "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"The arrows of " class "\"><table>" \
    "<tr><th>from</th><th>when</th><th>yields</th><th>in line</th><th>goes on in</th></tr>\n"
  for (i = 1; i <= arrows; i++) {
    split(order[i], part, SUBSEP)
    text = text "<tr><td>" code_span(part[1]) "</td><td>" code_span(ways[order[i]]) "</td><td>" \
      code_span(part[4]) "</td><td>" part[3] "</td><td>" \
      (part[2] == "the end" ? part[2] : code_span(part[2])) "</td></tr>\n"
  }
  return text "</table></div>\n"
}

# The body whose class stands in the lines first..last.
function machine(first, last,    i, from, to, list, text, catches) {
  at_line = first
  for (i = first; i <= last; i++) {
    if (lines[i] ~ /^  enum class At [{].*[}] at_ = At::start;$/) {
      text = lines[i]
      sub(/.*At [{] */, "", text)
      sub(/ *[}].*/, "", text)
    }
    if (lines[i] ~ /^  .* resume\(.*\) override [{]$/) from = i + 1
    if (from && !to && lines[i] == "  }") to = i - 1
    if (lines[i] ~ / resume_with\(/) catches = 1
  }
  if (text == "" || !to) unread("it has no states, or no resume()")
  states = split(text, state, /, */)
  split("", line_of)
  split("", ways)
  split("", first_holds)
  arrows = 0
  parse(from, to)
  for (i = 1; i <= statements; i++) if (kind[i] == "label") line_of[word[i]] = where[i]
  for (i = 1; i <= states; i++) if (!(state[i] in line_of)) unread("no case for " state[i])
  for (current = 1; current <= states; current++) {
    from_state = state[current]
    for (i = 1; i <= statements && !(kind[i] == "label" && word[i] == from_state);) i++
    follow(i, "", "", ",")
  }
  draw()
  while (first > 1 && lines[first - 1] ~ /^(\/\/\/|template)/) first--
  bodies++
  before[bodies] = "<h2 id=\"" id_of(base(file)) "_" class "\">" class "</h2>\n" \
    "<p>in <code>" base(file) "</code>" (catches ? "; what is thrown in at a yield goes to its " \
    "<code>resume_with()</code>, which is not drawn" : "") "</p>\n<div class=\"machine\">\n" \
    "<div class=\"picture\" tabindex=\"0\" role=\"img\" aria-label=\"The states of " class ": " text \
    ". The table below lists its arrows.\">"
  after[bodies] = "</div>\n" source(first, last) "</div>\n<details><summary>The arrows as a table</summary>\n" \
    table() "</details>\n"
}

BEGIN {
  dot_file = scratch "/states.dot"
  svg_file = scratch "/states.svg"
  printf "" >dot_file
  for (a = 1; a < ARGC; a++) {
    file = ARGV[a]
    n = read_lines(file, lines)
    wanted = found = 0
    for (l = 1; l <= n; l++) {
      if (match(lines[l], /^class [A-Za-z0-9_]+/)) {
        class = substr(lines[l], 7, RLENGTH - 6)
        begins = l
        has_states = 0
      }
      if (lines[l] ~ /enum class At[^A-Za-z0-9_]/) has_states = ++wanted
      if (lines[l] == "};" && has_states) {
        machine(begins, l)
        has_states = 0
        found++
      }
    }
    if (wanted != found) die(file ": has " wanted " bodies, of which " found " could be read")
  }
  close(dot_file)
  if (system("dot -Tsvg " dot_file " >" svg_file)) die("dot could not draw the states")
  for (a = 1; a <= bodies; a++) {
    print before[a]
    while ((getline line < svg_file) > 0 && line !~ /<svg/);
    do {
      # A page holds many pictures: ids would meet, and titles are for nobody.
      gsub(/ id="[^"]*"/, "", line)
      gsub(/"black"/, "\"currentColor\"", line)
      if (line !~ /<title>/ && line !~ /^<!--/) print line
    } while (line !~ /<\/svg>/ && (getline line < svg_file) > 0)
    if (line !~ /<\/svg>/) die("dot drew too few pictures")
    print after[a]
  }
}
