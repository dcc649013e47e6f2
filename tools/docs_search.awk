# Makes the data of the search, from the Markdown of all pages: a line for each section. See tools/docs
# and docs/site/search.js.

function clean(text) {
  gsub(/\\(subpage|ref|anchor|htmlinclude[^ ]*) [^ ]*/, "", text)
  gsub(/\]\([^)]*\)/, "", text)
  gsub(/<[^>]*>/, "", text)
  gsub(/[`*|\[]/, "", text)
  gsub(/\\/, "", text)
  return text
}

function quoted(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/"/, "\\\"", text)
  gsub(/</, "\\u003c", text)
  gsub(/[\001-\037]+/, " ", text)
  gsub(/  +/, " ", text)
  return "\"" text "\""
}

function flush() {
  if (url != "") printf "[%s,%s,%s,%s],\n", quoted(url), quoted(page), quoted(heading), quoted(text)
  url = text = ""
}

BEGIN { print "const searchData = [" }
FNR == 1 { flush(); hidden = fenced = 0; page = heading = "" }
/^ *```/ { fenced = !fenced; next }
/^\\htmlonly/ { hidden = 1 }
/^\\endhtmlonly/ { hidden = 0; next }
hidden || /^\[TOC\]|^\|[-:| ]+$/ { next }
!fenced && (/^#+ .*[{]#[^}]*[}] *$/ || /^<h[0-9]>/) {
  flush()
  heading = $0
  if (match(heading, / *[{]#[^}]*[}] *$/)) {
    id = substr(heading, RSTART, RLENGTH)
    gsub(/[ {}#]/, "", id)
    heading = substr(heading, 1, RSTART - 1)
  } else {
    id = anchor
  }
  sub(/^#+ /, "", heading)
  heading = clean(heading)
  if (page == "") {
    page = heading
    file = (id == "mainpage" ? "index" : id) ".html"
    url = file
  } else {
    url = file "#" id
  }
  next
}
/^\\anchor / { anchor = $2; next }
{ text = text " " (fenced ? $0 : clean($0)) }
END { flush(); print "];" }
