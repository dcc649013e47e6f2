# Turns a Markdown file that is written for GitHub into a page of the site; see tools/docs.
#
# Variables: id (of the page), file (its path in the repository), links (a file with a line "PATH URL"
# for each path of the repository that the site has something for), copies (a file: gets the paths of
# what is linked to, but has no page: to be copied to files/). Environment: before and after (Markdown to
# put below the title and at the end), contents (Markdown to put behind the table of chapters).
#
# - The title gets the page's id, each heading the anchor that GitHub gives it, with the id in front.
# - Relative links lead to the pages of the site. One that leads nowhere is an error (exit status 1).
# - The marks of generated parts go, and what Doxygen would take for its own commands is escaped.

function die(message) {
  printf "%s: %s\n", file, message >"/dev/stderr"
  failed = 1
}

function slug(text) {
  gsub(/\]\([^)]*\)/, "", text)
  text = tolower(text)
  gsub(/[^a-z0-9_ -]/, "", text)
  gsub(/ /, "-", text)
  return text
}

# "a/b/../c" is "a/c".
function normal(path) {
  gsub(/\/\.\//, "/", path)
  sub(/^\.\//, "", path)
  while (match(path, /[^\/]+\/\.\.\//)) path = substr(path, 1, RSTART - 1) substr(path, RSTART + RLENGTH)
  sub(/\/$/, "", path)
  return path
}

function exists(path,    line, there) {
  there = (getline line < path) >= 0
  close(path)
  return there
}

# Where a link of this file leads on the site.
function resolve(url,    anchor, path, page) {
  if (url ~ /^[a-z]+:/) return url
  if (match(url, /#.*/)) {
    anchor = substr(url, RSTART + 1)
    url = substr(url, 1, RSTART - 1)
  }
  path = url == "" ? file : normal(folder url)
  if (path in target) {
    page = target[path]
    if (anchor != "") {
      sub(/#.*/, "", page)
      anchor = "#" (path ~ /[.]md$/ ? pagename(page) "-" : "") anchor
    }
    return page anchor
  }
  if (!exists(path)) die("the link " url " leads nowhere")
  print path >copies
  return "files/" path (path ~ /\/[^\/]*[.](txt|sh)$/ ? "" : ".txt")
}

function pagename(page) {
  sub(/[.]html$/, "", page)
  return page == "index" ? "start" : page
}

# Is it a page below this one? Chapters are below the start page, workshop_... below workshop.
function is_below(url) {
  return url ~ (id == "start" ? "^step0[0-9][.]html$" : "^" id "_[a-z_]*[.]html$")
}

# Prose without code spans: links, and what Doxygen would misread.
function prose(text,    out, c, n, url) {
  out = ""
  while (match(text, /[\\@%#<&]|--|\]\([^) ]*\)/)) {
    out = out substr(text, 1, RSTART - 1)
    c = substr(text, RSTART, 1)
    n = RLENGTH
    text = substr(text, RSTART)
    if (c == "]") {
      url = resolve(substr(text, 3, n - 3))
      if (is_below(url) && match(out, /\[[^\[]*$/)) {
        # This makes the tree of pages, too.
        out = substr(out, 1, RSTART - 1) "\\subpage " pagename(url) " \"" substr(out, RSTART + 1) "\""
      } else {
        out = out "](" url ")"
      }
    } else if (c == "\\") {
      n = 2
      if (text ~ /^\\(subpage|ref|htmlinclude|anchor)/) out = out "\\" substr(text, 2, 1)
      else if (text ~ /^\\[][()*_`|<>#]/) out = out substr(text, 1, 2)
      else {
        out = out "\\\\"
        n = 1
      }
    } else if (c == "<") {
      if (match(text, /^<a id="[^"]*"><\/a>/)) {
        n = RLENGTH
        out = out "\\anchor " id "-" substr(text, 8, n - 13) "\n"
      } else if (text ~ /^<(https?:|\/?(br|b|i|em|strong|code|kbd|table|tr|td|th|p|div|sub|sup)[ >\/])/) out = out c
      else out = out "\\<"
    } else if (c == "&") {
      out = out (text ~ /^&[a-z0-9#]+;/ ? c : "\\&")
    } else if (c == "-") {
      match(text, /^-+/)
      n = RLENGTH
      out = out (n > 3 || text ~ /^-+[|:]/ ? "" : "\\") substr(text, 1, n)
    } else {
      out = out "\\" c
    }
    text = substr(text, n + 1)
  }
  return out text
}

# The text between marks becomes HTML: Doxygen does not see marks beside code and parentheses.
function around(text, mark, width, tag) {
  while (match(text, mark "[^ \n*~][^*~]*" mark)) {
    text = substr(text, 1, RSTART - 1) "<" tag ">" substr(text, RSTART + width, RLENGTH - 2 * width) \
      "</" tag ">" substr(text, RSTART + RLENGTH)
  }
  return text
}

# A paragraph, list or table, as one string.
function block(text,    out, n, ticks, rest, end, span) {
  out = ""
  while (match(text, /`+/)) {
    n = RLENGTH
    ticks = substr(text, RSTART, n)
    rest = substr(text, RSTART + n)
    end = index(rest, ticks)
    if (!end) break
    out = out prose(substr(text, 1, RSTART - 1))
    span = substr(rest, 1, end - 1)
    gsub(/\n */, " ", span)
    if (span ~ /'/ && n == 1) ticks = "``"  # else Doxygen takes `it's` for quotes
    spans[++count] = ticks span ticks
    out = out "\001" count "\002"
    text = substr(rest, end + n)
  }
  out = out prose(text)
  out = around(around(around(out, "~~", 2, "del"), "[*][*]", 2, "strong"), "[*]", 1, "em")
  while (match(out, /\001[0-9]+\002/)) {
    out = substr(out, 1, RSTART - 1) spans[substr(out, RSTART + 1, RLENGTH - 2)] substr(out, RSTART + RLENGTH)
  }
  return out
}

function flush() {
  if (held != "") printf "%s", block(held)
  held = ""
}

function heading(line,    hashes, anchor) {
  match(line, /^#+ /)
  hashes = substr(line, 1, RLENGTH)
  line = substr(line, RLENGTH + 1)
  if (match(line, / *[{]#[^}]*[}] *$/)) line = substr(line, 1, RSTART - 1)
  gsub(/`/, "", line)  # in titles, Doxygen cannot have code
  if (hashes == "# ") {
    print hashes block(line) " {#" (id == "start" ? "mainpage" : id) "}\n"
    if (id == "start") print "\\anchor start\n"
    if (ENVIRON["before"] != "") print ENVIRON["before"] "\n"
    return
  }
  anchor = id "-" slug(line)
  if (seen[anchor]++) anchor = anchor "-" seen[anchor] - 1
  # Those of the start page stay out of the tree of pages, where they would stand before the chapters.
  if (id == "start") print "\\anchor " anchor "\n<h" length(hashes) - 2 ">" block(line) "</h" length(hashes) - 2 ">"
  else print hashes block(line) " {#" anchor "}"
}

BEGIN {
  folder = file
  if (!sub(/[^\/]*$/, "", folder)) folder = ""
  while ((getline line < links) > 0) {
    split(line, part, " ")
    if (!(part[1] in target)) target[part[1]] = part[2]
  }
  close(links)
}

/^ *```/ {
  flush()
  fenced = !fenced
  print
  next
}
fenced { print; next }
/^<!-- .* -->$/ {
  flush()
  print ""
  if ($2 == "chapters") in_chapters = 1
  if ($2 == "end" && in_chapters) {
    print ENVIRON["contents"]
    in_chapters = 0
  }
  next
}
/^#+ / { flush(); heading($0); next }
/^ *$/ { flush(); print ""; next }
{ held = held $0 "\n" }

END {
  flush()
  if (ENVIRON["after"] != "") print "\n" ENVIRON["after"]
  exit failed
}
