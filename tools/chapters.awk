# Copies a chapter and fills its generated parts; see tools/chapters. Variables: folder (of the
# chapter) and before (the folder of the step before, if there is one).

function die(message) {
  printf "%s:%d: %s\n", FILENAME, FNR, message >"/dev/stderr"
  failed = 1
  exit 2
}

function code(file, text,    line, depth, times, inside) {
  print "```cpp"
  while ((getline line < file) > 0) {
    if (!inside && index(substr(line, indent(line) + 1), text) == 1) {
      depth = indent(line)
      inside = 1
      if (times++ == 0) print substr(line, depth + 1)
      if (closes(line, depth, 1)) inside = 0
    } else if (inside) {
      if (times == 1) print substr(line, depth + 1)
      if (closes(line, depth, 0)) inside = 0
    }
  }
  close(file)
  print "```"
  if (times != 1) die("\"" text "\" begins " times + 0 " lines of " file ", not one")
}

function output(program, range,    file, recipe, command, line, n, from, to) {
  file = folder "/expected/" program ".txt"
  recipe = folder "/expected/" program ".make"
  command = exists(recipe) ? "sh " recipe : "cat " file " 2>/dev/null"
  from = range ? range + 0 : 1
  to = range ~ /-/ ? substr(range, index(range, "-") + 1) + 0 : range ? from : 1e9
  print "```text"
  while ((command | getline line) > 0) {
    sub(/\r$/, "", line)  # on the wire; a chapter is text, and editors change its line ends
    if (++n >= from && n <= to) print line
  }
  close(command)
  print "```"
  if (n < from) die(file " has no line " from)
}

function ask(command,    answer) {
  command | getline answer
  close(command)
  return answer + 0
}

function lines_added(old, new) {
  return ask("diff " old " " new " | grep -c '^>'")
}

function file_lines(file,    line, n) {
  while ((getline line < file) > 0) n++
  close(file)
  return n + 0
}

# The newest earlier step that has a program of this name.
function twin_of(program,    command, twin) {
  command = "ls -d step0*/" program ".cpp 2>/dev/null | awk -F/ -v f=" folder " '$1 < f' | tail -n 1"
  command | getline twin
  close(command)
  sub(/[/].*/, "", twin)
  return twin
}

# The programs of this step, in its order.
function programs(list,    command, n) {
  command = "tools/programs " folder
  while ((command | getline list[n + 1]) > 0) n++
  close(command)
  return n
}

# What a program is about: all but its #includes and its main().
function body(step, program,    file, line, started) {
  file = step "/" program ".hpp"
  if (!exists(file)) file = step "/" program ".cpp"
  print "<td valign=\"top\">\n\n[`" file "`](../" file ")\n\n```cpp"
  while ((getline line < file) > 0 && line !~ /^int main/) {
    if (line !~ /^#/ && (line != "" || started)) {
      if (started && blank) print ""
      blank = line == ""
      if (!blank) print line
      started = 1
    }
  }
  close(file)
  print "```\n\n</td>"
}

function twins(    list, n, i) {
  n = programs(list)
  for (i = 1; i <= n; i++) {
    print "\n## " list[i] "\n\n<table><tr>"
    body(twin_of(list[i]), list[i])
    body(folder, list[i])
    print "</tr></table>"
  }
  print ""
}

function sum(step, names,    list, n, i, lines) {
  n = split(names, list, " ")
  for (i = 1; i <= n; i++) lines += file_lines(step "/" list[i] ".hpp")
  return lines
}

# Rows "label: headers of the step before / headers of this step", and all the programs.
function line_counts(rows,    row, part, side, n, i, list, hand, made) {
  print "| lines | step " substr(before, 6, 1) ", by hand | step " substr(folder, 6, 1) ", by the compiler |"
  print "|---|---:|---:|"
  n = split(rows, row, /; */)
  for (i = 1; i <= n; i++) {
    split(row[i], part, /: */)
    split(part[2], side, "/")
    printf "| %s | %d | %d |\n", part[1], sum(before, side[1]), sum(folder, side[2])
  }
  n = programs(list)
  for (i = 1; i <= n; i++) {
    hand += file_lines(twin_of(list[i]) "/" list[i] ".cpp")
    made += file_lines(folder "/" list[i] ".cpp")
  }
  printf "| the %d programs | %d | %d |\n", n, hand, made
}

function exists(file,    line, there) {
  there = (getline line < file) >= 0
  close(file)
  return there
}

function whats_new(    list, file, old, new) {
  print "| header | |"
  print "|---|---|"
  list = "for f in " before "/*.hpp " folder "/*.hpp; do basename $f; done | sort -u"
  if (!before) list = "for f in " folder "/*.hpp; do basename $f; done"
  while ((list | getline file) > 0) {
    new = folder "/" file
    old = before "/" file
    if (!exists(new)) {
      printf "| ~~`%s`~~ | stays behind in step %s |\n", file, substr(before, 6, 1)
    } else if (!before || !exists(old)) {
      printf "| [`%s`](%s) | **new**, %d lines |\n", file, file, ask("wc -l < " new)
    } else if (system("cmp -s " old " " new) == 0) {
      printf "| [`%s`](%s) | the same as in step %s |\n", file, file, substr(before, 6, 1)
    } else {
      printf "| [`%s`](%s) | **changed**: %d lines come, %d go |\n", file, file,
        lines_added(old, new), lines_added(new, old)
    }
  }
  close(list)
}

function chapters(    line, step) {
  print "| step | what it is about |"
  print "|---|---|"
  while ((getline line < "tools/steps") > 0) {
    step = line
    sub(/ .*/, "", step)
    sub(/^[^ ]* */, "", line)
    if (exists(step "/README.md")) step = "[" step "](" step "/README.md)"
    else line = line " *(to come)*"
    printf "| %s | %s |\n", step, line
  }
  close("tools/steps")
}

function exercises(    command, line) {
  command = "tools/exercise table " substr(folder, 6, 1)
  while ((command | getline line) > 0) print line
  close(command)
}

# Every quoted text in `line` must be the name of a test.
function check_names(line,    command, text, part, n, i) {
  if (!have_names++) {
    command = "grep -ho '\"[^\"]*\"' " folder "/tests/*.cpp"
    while ((command | getline text) > 0) names[text] = 1
    close(command)
  }
  n = split(line, part, "\"")
  for (i = 2; i < n; i += 2) {
    if (!(("\"" part[i] "\"") in names)) die("there is no test \"" part[i] "\" in " folder)
  }
}

# Every label that a comment cites must be the first word of a row, in bold.
function check_labels(    command, line, part, n, i) {
  command = "grep -rho 'TrueAsync: .*' " folder "/coop"
  while ((command | getline line) > 0) {
    sub(/^TrueAsync: /, "", line)
    sub(/[.]$/, "", line)
    n = split(line, part, ", ")
    for (i = 1; i <= n; i++) {
      if (!(part[i] in labels)) die("there is no row for \"TrueAsync: " part[i] "\" in " folder)
    }
  }
  close(command)
}

/^<!-- end -->$/ { generated = naming = 0 }
naming { check_names($0) }
naming && /^[|] [*][*]/ {
  split($0, cell, "[*][*]")
  labels[cell[2]] = 1
  have_labels = 1
}
/^<!-- tests -->$/ { naming = 1 }
!generated { print }
/^<!-- (code|output|new|chapters|twins|lines|exercises)/ {
  if (generated) die("a generated part has no end")
  generated = 1
  if ($2 == "code") {
    text = $0
    sub(/^<!-- code [^:]*: /, "", text)
    sub(/ -->$/, "", text)
    sub(/:$/, "", $3)
    code(folder "/" $3, text)
  } else if ($2 == "output") {
    output($3, $4 == "-->" ? "" : $4)
  } else if ($2 == "exercises") {
    exercises()
  } else if ($2 == "new") {
    whats_new()
  } else if ($2 == "twins") {
    twins()
  } else if ($2 == "lines") {
    text = $0
    sub(/^<!-- lines /, "", text)
    sub(/ -->$/, "", text)
    line_counts(text)
  } else {
    chapters()
  }
}
END {
  if (generated && !failed) die("a generated part has no end")
  if (have_labels && !failed) check_labels()
}
