# What Doxygen reads instead of a file: `awk -f docs/api.awk tools/steps FILE`. The names of each step become a group, whose title is
# in tools/steps. Doxygen would make one class of all that are named Scheduler, and steps 1 to 8 have no namespace. So each of them
# gets one, in the empty line below the includes. No line is added before the end, so warnings name the right line.
NR == FNR {
  split($0, text, / \| /)
  sub(/[^ ]* */, "", text[1])
  groups = groups sprintf("/** \\defgroup step0%d Step %d: %s\n\\brief %s\n\nChapter: %s/README.md */\n", NR, NR, text[1], text[2], $1)
  next
}
FNR == 1 && match(FILENAME, /.*\/step0[1-9]_/) { step = substr(FILENAME, RLENGTH - 6, 6) }
step && step != "step09" && !opening && !NF {
  empty = 1
  next
}
empty {
  if (/^[^#]/) opening = "namespace " step " {"
  print opening
  empty = 0
}
step {
  sub(/: detail::TaskGroup, Event/, "") # private bases
  if (/^  (explicit )?(Xrange|Server|Shutdown)\(/) $0 = "  /** Creates the body. */" $0
  if (/^[^ \/#].*\/\/\/</ || is_documented && /^[^\/]/) $0 = "/** \\ingroup " step " */ " $0
  is_documented = /^\/\/\//
}
{ print }
END { printf "%s", !step ? groups : opening ? "}\n" : "" }
