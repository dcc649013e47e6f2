# Prints, as HTML, each hand-rolled body of the files that are its arguments: a picture of its states,
# the source, and the arrows as a table. See tools/state_pages. Variable: scratch, a folder.

# Short, for the picture: the table has it all.
function brief(s) {
  if (gsub(/std::make_shared</, "", s)) sub(/>\(/, "(", s)
  gsub(/std::/, "", s)
  if (length(s) > 31) s = substr(s, 1, 28) "..."
  gsub(/["\\]/, "\\\\&", s)
  return s
}

# The picture, for dot: what is yielded stands at the arrow, and below it the conditions.
function draw(    i, k, part, label, guard, n, begins, ends) {
  print "digraph {\nbgcolor=transparent ranksep=0.35 nodesep=0.3\n" \
    "node [shape=box style=rounded fontname=\"Courier\" fontsize=12 height=0.4 margin=\"0.14,0.05\"]\n" \
    "edge [fontname=\"Courier\" fontsize=10 arrowsize=0.7]" >dot_file
  for (i = 1; i <= states; i++) {
    begins = state[i] == "start"
    printf "%s [label=\"%s\\nline %d\" class=\"%s\"%s]\n", state[i], state[i], line_of[state[i]],
      begins ? "start" : "state", begins ? " penwidth=2.5" : "" >dot_file
  }
  for (i = 1; i <= arrows; i++) {
    split(order[i], part, SUBSEP)
    if (part[2] == "the end" && !ends++) {
      print "end [label=\"the end\" shape=ellipse class=\"end\"]" >dot_file
    }
    label = part[4] == "" ? "" : " " brief(part[4]) " \\n"
    n = split(ways[order[i]], guard, "\n")
    for (k = 1; k <= n; k++) label = label " " brief(guard[k]) " \\n"
    printf "%s -> %s [label=\"%s\"%s]\n", part[1], part[2] == "the end" ? "end" : part[2], label,
      part[2] == "the end" ? " style=dashed" : "" >dot_file
  }
  print "}" >dot_file
}

function code_span(s) { return s == "" ? "" : "<code>" html(s) "</code>" }

# The source with its line numbers; the lines where resume() goes on are marked.
function source(from, to,    i, text) {
  for (i = from; i <= to; i++) {
    text = text "<span class=\"line" (lines[i] ~ /^ *case State::/ ? " point" : "") "\" data-n=\"" i "\">" \
      paint(lines[i]) "\n</span>"
  }
  return "<pre class=\"listing\" role=\"group\" tabindex=\"0\" aria-label=\"" class " in " file "\">" text "</pre>\n"
}

function table(    i, part, text, when) {
  text = "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"The arrows of " class "\"><table>" \
    "<tr><th>from</th><th>when</th><th>yields</th><th>in line</th><th>goes on in</th></tr>\n"
  for (i = 1; i <= arrows; i++) {
    split(order[i], part, SUBSEP)
    when = ways[order[i]]
    gsub(/\n/, ", ", when)
    text = text "<tr><td>" code_span(part[1]) "</td><td>" code_span(when) "</td><td>" \
      code_span(part[4]) "</td><td>" part[3] "</td><td>" \
      (part[2] == "the end" ? part[2] : code_span(part[2])) "</td></tr>\n"
  }
  return text "</table></div>\n"
}

# The body whose class stands in the lines first..last.
function machine(first, last,    i, from, to, list, text, catches) {
  for (i = first; i <= last; i++) {
    at_line = i
    if (lines[i] ~ /^  enum class State [{].*[}];$/) {
      text = lines[i]
      sub(/.*State [{] */, "", text)
      sub(/ *[}].*/, "", text)
    }
    if (lines[i] ~ /^  .* resume\(.*\) override [{]$/) from = i + 1
    if (from && !to && lines[i] == "  }") to = i - 1
    if (lines[i] ~ / resume_with_exception\(/) catches = 1
    if ((!from || to) && !catches && lines[i] ~ /[^A-Za-z0-9_]state_[^A-Za-z0-9_]/ &&
        lines[i] !~ /^  State state_ = /) {
      unread("something else than resume() knows state_")
    }
  }
  if (text == "" || !to) unread("it has no states, or no resume()")
  states = split(text, state, /, */)
  split("", line_of)
  split("", ways)
  split("", first_holds)
  arrows = 0
  parse(from, to)
  if (kind[1] != "switch") unread("resume() does not begin with the switch")
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
  contents = contents (file == last_file ? ", " : (last_file == "" ? "" : "</li>\n") "<li><code>" base(file) "</code>: ") \
    "<a href=\"#" id_of(base(file)) "_" class "\">" class "</a>"
  last_file = file
  before[bodies] = "<h2 id=\"" id_of(base(file)) "_" class "\">" class "</h2>\n" \
    "<p>in <code>" base(file) "</code>" (catches ? "; what is thrown in at a yield goes to its " \
    "<code>resume_with_exception()</code>, which is not drawn" : "") "</p>\n<div class=\"machine\">\n" \
    "<div class=\"picture\" tabindex=\"0\" role=\"group\" aria-label=\"Picture of " class "\">"
  spoken[bodies] = "The states of " class ": " text ". The table below lists its arrows."
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
      if (match(lines[l], /^(class|struct) [A-Za-z0-9_]+/)) {
        class = substr(lines[l], 1, RLENGTH)
        sub(/.* /, "", class)
        begins = l
        has_states = 0
      }
      if (lines[l] ~ /enum class State[^A-Za-z0-9_]/) has_states = ++wanted
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
  print "<ul>" contents "</li></ul>"
  for (a = 1; a <= bodies; a++) {
    print before[a]
    while ((getline line < svg_file) > 0 && line !~ /<svg/);
    do {
      # A page holds many pictures: ids would meet, and titles are for nobody.
      gsub(/ id="[^"]*"/, "", line)
      gsub(/"black"/, "\"currentColor\"", line)
      # On a phone it may shrink, but not to where nobody can read it.
      if (match(line, /<svg width="[0-9]+/)) {
        line = "<svg role=\"img\" aria-label=\"" spoken[a] "\" style=\"min-width:" \
          int(substr(line, RSTART + 12, RLENGTH - 12) * 0.6) "pt\"" substr(line, 5)
      }
      if (line !~ /<title>/ && line !~ /^<!--/) print line
    } while (line !~ /<\/svg>/ && (getline line < svg_file) > 0)
    if (line !~ /<\/svg>/) die("dot drew too few pictures")
    print after[a]
  }
}
