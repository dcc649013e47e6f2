# Prints two files as HTML, side by side; see tools/twin_pages. Variables: left and right (the files),
# hand and made (what to call them).
#
# Lines correspond if they say the same once the differences of the two styles are taken out: key()
# does that, and diff finds the lines that match.

function key(line,    k, c, out) {
  if (line ~ /^class .*[{]$/ || line ~ /^(inline )?(Coroutine|Generator)<.*> [a-z_0-9]+\(.*[{]$/) return "a body"
  k = line
  sub(/^ */, "", k)
  if (k ~ /^[\/][\/]/) return k
  sub(/ +[\/][\/] .*$/, "", k)
  while (match(k, /[a-z0-9]_([^A-Za-z0-9_]|$)/)) k = substr(k, 1, RSTART) substr(k, RSTART + 2)
  gsub(/->/, ".", k)
  sub(/\((int|long long) /, "(", k)
  if (!match(k, /^(.* = )?(return|co_await|co_yield|co_return) /)) return k
  # A yield: what is called, whatever it is called with.
  k = substr(k, RLENGTH + 1)
  sub(/^Call[{]std::make_shared</, "", k)
  gsub(/<[^>]*>/, "", k)
  sub(/[>(].*/, "(", k)
  sub(/^[a-z_]*[.]/, "", k)
  sub(/ReturnValue[{]/, "", k)
  gsub(/[{};]/, "", k)
  for (; k != ""; k = substr(k, 2)) {
    c = substr(k, 1, 1)
    out = out (c ~ /[A-Z]/ && out ~ /[a-z]$/ ? "_" : "") tolower(c)
  }
  return "yield " out
}

# Reads a file from its first line that is no #include and no blank; its keys go to a second file.
# A brace that closes something is the brace of what it closes.
function take(file, lines, keys,    line, n, k, depth, opened) {
  printf "" >keys
  while ((getline line < file) > 0) {
    if (line ~ /^#/ || (line == "" && !n)) continue
    lines[++n] = line
    k = key(line)
    if (k ~ /^[}]/) k = "} " opened[depth--] (k ~ /[{]$/ ? " and on" : "")
    if (line ~ /[{]$/) opened[++depth] = k
    print k >keys
  }
  close(file)
  close(keys)
  if (!n) die(file " is not there, or empty")
}

# Is it a line by hand that the compiler makes now?
function machinery(line) {
  sub(/ +[\/][\/] .*$/, "", line)
  return line ~ /[^A-Za-z_](State|state_)[^A-Za-z_]/ || line ~ /^ *(\[\[fallthrough\]\];|return std::nullopt;)$/ ||
    line ~ / resume(_with)?\(.*\) override [{]/ ||
    # members, and the constructor that fills them
    line ~ /^  [A-Za-z][A-Za-z0-9_:<>*&, ]* [a-z_]+_( = [^;]*)?;$/ || line ~ /^ (public|private):$/ ||
    line ~ /^  (explicit )?[A-Z][A-Za-z0-9]*\(.*[){}]$/ || line ~ /^      : .*[{][}]$/
}

function side(name, file, column, lines, rows, n,    i, made, depth, opened) {
  print "<div class=\"side " column "\"><p class=\"name\">" name ": <code>" file "</code></p>"
  printf "<pre tabindex=\"0\" role=\"group\" aria-label=\"%s\">", file
  for (i = 1; i <= n; i++) {
    made = column == "hand" && machinery(lines[i])
    if (lines[i] ~ /^ *[}]/) made = opened[depth--]
    if (lines[i] ~ /[{]$/) opened[++depth] = made
    match(lines[i], /^ */)
    printf "<span class=\"line%s\" style=\"grid-row:%d;--indent:%d\">%s\n</span>",
      made ? " made" : "", rows[i], RLENGTH, paint(lines[i])
  }
  print "</pre></div>"
}

function ask(command,    answer) {
  command | getline answer
  close(command)
  return answer
}

BEGIN {
  scratch = ask("mktemp -d")
  if (scratch == "") die("no folder for temporary files")
  take(left, left_lines, scratch "/left")
  take(right, right_lines, scratch "/right")
  row = 1
  command = "diff -U 100000 " scratch "/left " scratch "/right"
  while ((command | getline line) > 0) {
    if (line ~ /^(---|\+\+\+) / && !started || line ~ /^@@/) continue
    started = 1
    sign = substr(line, 1, 1)
    if (sign == " ") {
      # What came before faces each other, each from its top.
      row += lost > gained ? lost : gained
      lost = gained = 0
      left_row[++l] = right_row[++r] = ++row
    } else if (sign == "-") left_row[++l] = row + ++lost
    else right_row[++r] = row + ++gained
  }
  close(command)
  system("rm -r " scratch)
  if (!started) die(left " and " right " are the same")
  print "<div class=\"twins\">"
  side(hand, left, "hand", left_lines, left_row, l)
  side(made, right, "cpp20", right_lines, right_row, r)
  print "</div>"
}
