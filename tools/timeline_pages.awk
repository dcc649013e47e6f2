# Makes the HTML of a timeline page of a recording and the sources that it tells of; see
# tools/timeline_pages.

function html(text) {
  gsub(/&/, "\\&amp;", text)
  gsub(/</, "\\&lt;", text)
  gsub(/>/, "\\&gt;", text)
  gsub(/"/, "\\&quot;", text)
  return text
}

function colour(who) { return who ~ /^task / ? " timeline-task" (substr(who, 6) - 1) % 6 + 1 : "" }

BEGIN {
  print "<div class=\"timeline\">"
  print "<div class=\"timeline-parts\">"
  print "<section class=\"timeline-run\" aria-label=\"The turns\">"
  print "<ol class=\"timeline-turns\" tabindex=\"0\" aria-label=\"All turns\">"
}

FNR == 1 && NR > 1 {
  if (file++ == 0) {
    print "</ol>"
    if (goes_on) print "<p>... and so on; these were the first " turns " turns.</p>"
    print "</section>"
    print "<section class=\"timeline-code\" aria-label=\"The source\" tabindex=\"0\">"
  } else {
    print "</code></pre>"
  }
  name = FILENAME
  sub(/.*[/]/, "", name)
  printf "<h2 class=\"timeline-file\">%s</h2>\n<pre class=\"timeline-source\"><code>", name
}

# The recording.
!file && /^turn / { turns++ }
!file && /^who / {
  who = substr($0, 5)
  printf "<li><b class=\"timeline-who%s\">%s</b><span class=\"timeline-facts\">", colour(who), html(who)
}
!file && /^out / { printf "<samp>%s</samp>", html(substr($0, 5)) }
!file && /^stop / {
  what = $0
  sub(/^stop [^ ]* /, "", what)
  printf "<span class=\"timeline-stop\"%s>%s</span>", $2 == "-" ? "" : " data-line=\"" $2 "\"", html(what)
}
!file && /^ready/ {
  printf "</span><span class=\"timeline-ready\"><span>%s</span>", (NF > 1 ? "ready:" : "nobody is ready")
  for (i = 2; i <= NF; i++) {
    id = $i
    gsub(/[()]/, "", id)
    printf " <b class=\"timeline-box%s%s\">%s</b>", colour("task " id), id == $i ? "" : " timeline-husk", $i
  }
}
!file && /^$/ { print "</span></li>" }
!file && /^and so on$/ { goes_on = 1 }

# The sources.
file {
  code = html($0)
  if (at = index(code, "//")) code = substr(code, 1, at - 1) "<i>" substr(code, at) "</i>"
  printf "<span class=\"timeline-line\" data-line=\"%s:%d\">%s\n</span>", name, FNR, code
}

END { print "</code></pre>\n</section>\n</div>\n</div>" }
