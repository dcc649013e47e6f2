# Turns a chapter into slides, as HTML; see tools/slides. Variable: folder (of the chapter).
#
# "The idea", "Predict" and "Recap" come as they are, slide by slide; of "What can go wrong" the bold
# words. Of the other sections come the code, the outputs and the pictures, each with the paragraph before
# it. The reference part, from "Compared with the article" on, is left out.

function escape(text) {
  gsub(/&/, "\\&amp;", text)
  gsub(/</, "\\&lt;", text)
  gsub(/>/, "\\&gt;", text)
  return text
}

function between(text, mark, width, tag) {
  while (match(text, mark "[^*]+" mark)) {
    text = substr(text, 1, RSTART - 1) "<" tag ">" substr(text, RSTART + width, RLENGTH - 2 * width) \
      "</" tag ">" substr(text, RSTART + RLENGTH)
  }
  return text
}

# Markdown in a line: code, bold, italics; links become their words.
function inline(text,    out, rest, n, spans, i) {
  while (match(text, /\]\([^)]*\)/)) {
    rest = substr(text, RSTART + RLENGTH)
    text = substr(text, 1, RSTART - 1)
    match(text, /\[[^\[]*$/)
    text = substr(text, 1, RSTART - 1) substr(text, RSTART + 1) rest
  }
  text = escape(text)
  while (match(text, /``?[^`]+``?/)) {
    spans[++n] = substr(text, RSTART, RLENGTH)
    gsub(/`/, "", spans[n])
    text = substr(text, 1, RSTART - 1) "\001" n "\002" substr(text, RSTART + RLENGTH)
  }
  text = between(between(text, "[*][*]", 2, "strong"), "[*]", 1, "em")
  for (i = 1; i <= n; i++) {
    match(text, "\001" i "\002")
    text = substr(text, 1, RSTART - 1) "<code>" spans[i] "</code>" substr(text, RSTART + RLENGTH)
  }
  return text
}

# A slide: a heading, and what was collected.
function show(heading, html) {
  printf "<section tabindex=\"-1\">\n<p class=\"where\">Step %s%s</p>\n<h2>%s</h2>\n%s</section>\n", number,
    (source == "" ? "" : ": " source), heading, html
  source = ""
}

# The bold words that a paragraph begins with are its topic.
function topic_of(text,    words) {
  if (!match(text, /^[*][*][^*]+[*][*]/)) return ""
  words = substr(text, 3, RLENGTH - 4)
  sub(/[.,]$/, "", words)
  return words
}

# Around a block: how large it is decides how large its letters are.
function block() {
  return "<pre tabindex=\"0\" style=\"--lines: " lines "; --columns: " columns "\"><code>" escape(code) \
    "</code></pre>\n"
}

function columns_of(line) {
  gsub(/[\200-\277]/, "", line)  # the further bytes of what is one character
  return length(line)
}

function end_section() {
  if (verbatim && collected != "") show(section, collected)
  if (list != "") show(section, "<ul>\n" list "</ul>\n")
  collected = list = ""
}

# A paragraph is over.
function end_paragraph() {
  if (paragraph == "") return
  if (verbatim) {
    collected = collected "<p>" inline(paragraph) "</p>\n"
  } else if (section ~ /^(What can go wrong|Mistakes people make)$/) {
    if (topic_of(paragraph) != "") list = list "<li>" inline(topic_of(paragraph)) "</li>\n"
  } else if (topic_of(paragraph) != "") {
    topic = topic_of(paragraph)
    sub(/^[*][*][^*]+[*][*] */, "", paragraph)
  }
  last = paragraph
  paragraph = ""
}

function end_block() {
  if (language == "sh") {
    if (section == "Run it" && !commands++) show(section, block())
  } else if (verbatim) {
    show(section, collected block())
    collected = ""
  } else if (section !~ /^(What is new|What can go wrong|Compared with|Files and build)/) {
    show(inline(topic == "" ? section : topic), (last == "" ? "" : "<p>" inline(last) "</p>\n") block())
  }
  last = ""
}

function exercises(    command, file, line, minutes, kind, title) {
  command = "ls -d " folder "/exercises/*/exercise 2>/dev/null"
  while ((command | getline file) > 0) {
    minutes = kind = title = ""
    while ((getline line < file) > 0) {
      if (line ~ /^minutes /) minutes = substr(line, 9)
      if (line ~ /^kind /) kind = substr(line, 6)
    }
    close(file)
    sub(/exercise$/, "README.md", file)
    getline title < file
    close(file)
    list = list "<li>" inline(substr(title, 3)) " <small>" escape(kind) ", " minutes " minutes</small></li>\n"
  }
  close(command)
  section = "Exercises"
  end_section()
}

/^```/ {
  end_paragraph()
  if (fenced) {
    end_block()
  } else {
    language = substr($0, 4)
    code = ""
    lines = columns = 0
  }
  fenced = !fenced
  next
}
fenced {
  code = code $0 "\n"
  lines++
  if (columns_of($0) > columns) columns = columns_of($0)
  next
}
/^# / {
  number = substr($3, 1, 1)
  title = $0
  sub(/^# Step [0-9]: /, "", title)
  printf "<section class=\"step\" id=\"step%s\" tabindex=\"-1\">\n<p class=\"where\">Step %s</p>\n<h2>%s</h2>\n</section>\n", \
    number, number, inline(title)
  next
}
/^## / {
  end_paragraph()
  end_section()
  if ($2 == "Exercises") exercises()
  section = substr($0, 4)
  topic = last = ""
  verbatim = section ~ /^(The idea|In one minute|Predict)$/
  next
}
/^### / {
  end_paragraph()
  topic = substr($0, 5)
  last = ""
  next
}
/^<!--/ || /^$/ {
  end_paragraph()
  if (/^<!-- code /) source = substr($3, 1, length($3) - 1)
  if (/^<!-- output /) source = "what " $3 " prints"
  next
}
/^[*]Time:/ || /^[|]/ { next }
section == "What can go wrong" && /^- [*][*]/ {
  end_paragraph()
  $0 = substr($0, 3)
}
verbatim && /^- / { end_paragraph() }
section == "Recap" && /^- / { list = list "<li>" inline(substr($0, 3)) "</li>\n"; next }
section == "Recap" && /^  / { sub(/<\/li>\n$/, " " inline(substr($0, 3)) "</li>\n", list); next }
section == "Exercises" || section == "Recap" { next }
{ paragraph = (paragraph == "" ? "" : paragraph " ") $0 }
END {
  end_paragraph()
  end_section()
}
