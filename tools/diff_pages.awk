# Writes, as HTML, what a step changed; see tools/diff_pages. Variables: old and new (folders of the
# steps) and page (the file to write). Prints one sentence with the numbers.

# The files that match `pattern` in both folders: was[name] and is[name], names in names[1..count].
function pair(pattern,    command, line, part) {
  count = 0
  split("", was)
  split("", is)
  command = "ls " old "/" pattern " " new "/" pattern " " new "/coop/" pattern " " new "/programs/" pattern " 2>/dev/null |" \
    " sed 's,.*/,& ,' | awk '{ print $2, $1 $2 }' | sort"
  while ((command | getline line) > 0) {
    split(line, part, " ")
    if (!(part[1] in was) && !(part[1] in is)) names[++count] = part[1]
    if (index(part[2], old "/") == 1) was[part[1]] = part[2]
    else is[part[1]] = part[2]
  }
  close(command)
}

# Reads the difference of two files: sign, text, and the line numbers for the margin, 1..lines.
function compare(from, to,    command, line, a, b) {
  lines = come = go = 0
  command = "diff -U 100000 " from " " to
  while ((command | getline line) > 0) {
    if (line ~ /^(---|\+\+\+) / && !lines || line ~ /^(@@|\\)/) continue
    sign[++lines] = substr(line, 1, 1)
    text[lines] = substr(line, 2)
    if (sign[lines] != "+") a++
    if (sign[lines] != "-") b++
    margin[lines] = sprintf("%3s %3s", sign[lines] == "+" ? "" : a, sign[lines] == "-" ? "" : b)
    come += sign[lines] == "+"
    go += sign[lines] == "-"
  }
  close(command)
  if (from == "/dev/null" && !lines) die(to " is not there, or empty")
}

function show(from, to,    i, class) {
  printf "<pre>" >page
  for (i = from; i <= to; i++) {
    class = sign[i] == "+" ? " come" : sign[i] == "-" ? " go" : ""
    printf "<span class=\"line%s\" data-n=\"%s\">%s %s\n</span>", class, margin[i], sign[i],
      paint(text[i]) >page
  }
  print "</pre>" >page
}

# What was compared last. Unchanged lines that are not near a change are folded,
# if they are more than three.
function show_difference(name,    i, k, near, from) {
  print "<div class=\"diff\" tabindex=\"0\" role=\"group\" aria-label=\"What changed in " name "\"><div>" >page
  split("", near)
  for (i = 1; i <= lines; i++) if (sign[i] != " ") for (k = i - 3; k <= i + 3; k++) near[k] = 1
  for (i = 1; i <= lines; i = from) {
    for (from = i; from <= lines && (from in near) == (i in near);) from++
    if (!(i in near) && from - i > 3) {
      print "<details><summary>" from - i " lines unchanged</summary>" >page
      show(i, from - 1)
      print "</details>" >page
    } else show(i, from - 1)
  }
  print "</div></div>" >page
}

function plural(n, word) { return n " " word (n == 1 ? "" : "s") }
function comes(n) { return plural(n, "line") (n == 1 ? " comes" : " come") }
function goes(n) { return n (n == 1 ? " goes" : " go") }

function list_of(title, list) {
  if (list != "") print "<p>" title ": " list ".</p>" >page
}

function listed(list, name) { return list (list == "" ? "" : ", ") "<code>" name "</code>" }

# One row of the table, or one section. What is long and new, or written anew, is folded.
function part_of(name, section,    is_new, what, folded) {
  is_new = !(name in was)
  compare(is_new ? "/dev/null" : was[name], is[name])
  what = is_new ? "new, " plural(come, "line") : comes(come) ", " goes(go)
  if (section) {
    folded = is_new ? come > 60 : go > (lines - come) / 2
    print "<h2 id=\"" id_of(name) "\">" name "</h2>" >page
    print "<details class=\"file\"" (folded ? "" : " open=\"open\"") "><summary>" what "</summary>" >page
    show_difference(name)
    print "</details>" >page
  } else {
    print "<tr><td><a href=\"#" id_of(name) "\"><code>" name "</code></a></td><td>" what "</td></tr>" >page
    if (is_new) headers_new++
    else headers_changed++
    all_come += come
    all_go += go
  }
}

function same(name) { return system("cmp -s " was[name] " " is[name]) == 0 }

BEGIN {
  pair("*.hpp")
  for (i = 1; i <= count; i++) {
    name = names[i]
    if (!(name in is)) behind = listed(behind, name)
    else if (!(name in was) && is[name] ~ /[\/]coop[\/]/) {
      library = listed(library, name)
      elsewhere++
    }
    else if (!(name in was)) fresh[++freshes] = name
    else if (same(name)) unchanged = listed(unchanged, name)
    else changed[++changes] = name
  }
  print "<table class=\"changes\">" >page
  for (i = 1; i <= changes; i++) part_of(changed[i], 0)
  for (i = 1; i <= freshes; i++) part_of(fresh[i], 0)
  print "</table>" >page
  list_of("Unchanged", unchanged)
  list_of("Stays behind in step " substr(old, 6, 1), behind)
  list_of("New in <code>coop/</code>, and not shown here", library)
  for (i = 1; i <= changes; i++) part_of(changed[i], 1)
  for (i = 1; i <= freshes; i++) part_of(fresh[i], 1)

  pair("*.cpp")
  print "<h2 id=\"programs\">The programs</h2>" >page
  alone_old = alone_new = unchanged = ""
  changes = 0
  for (i = 1; i <= count; i++) {
    name = names[i]
    if (!(name in is)) alone_old = listed(alone_old, name)
    else if (is[name] ~ /[\/]coop[\/]/) continue
    else if (!(name in was)) alone_new = listed(alone_new, name)
    else if (same(name)) unchanged = listed(unchanged, name)
    else changed[++changes] = name
  }
  list_of("New", alone_new)
  list_of("Unchanged", unchanged)
  list_of("Only in step " substr(old, 6, 1), alone_old)
  for (i = 1; i <= changes; i++) part_of(changed[i], 1)

  printf "%s changed, %d new%s: %s, %s.\n", plural(headers_changed + 0, "header"), headers_new,
    elsewhere ? ", " elsewhere " more in `coop/`" : "", comes(all_come), goes(all_go)
}
