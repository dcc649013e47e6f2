# Patches the header that Doxygen makes for its pages; see tools/docs. Variable: scripts (paths).

/<html / && !/ lang=/ { sub(/<html /, "<html lang=\"en\" ") }
/<!DOCTYPE/ { $0 = "<!DOCTYPE html>" }
/<title>/ { gsub(/<title>.*<\/title>/, "<title>$title - $projectname</title>") }
/^<\/head>/ {
  n = split(scripts, list, " ")
  for (i = 1; i <= n; i++) {
    sub(/.*\//, "", list[i])
    # Ours run when the page is there; the theme wants to be first, lest a dark page is light at first.
    print "<script src=\"$relpath^" list[i] "\"" (list[i] ~ /^doxygen/ ? "" : " defer") "></script>"
  }
  seen = 1
}
/<div id="projectname">/ {
  sub(/\$projectname/, "<a href=\"$relpath^index.html\">$projectname</a>")
}
{ print }
END { exit !seen }
