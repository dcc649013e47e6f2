# Draws a recording of tools/trace/trace, 80 columns wide: the lane of each task shows its turns.
# With tools/learn/say.awk. Variables: program (its name), colour (yes or no).

BEGIN { width = 80 }

/^turn / { number[n = ++turns] = $2; first[n] = rows + 1; stopped = 0 }
/^who / {
  who[n] = substr($0, 5)
  if (sub(/^task /, "", who[n])) meet(who[n])
}
# A printed line begins a row; the place where the body stopped is in the row of the last one.
/^out / {
  print_row[last[n] = ++rows] = substr($0, 5)
  stopped = 0
}
/^stop / {
  if (rows < first[n] || stopped) rows++
  last[n] = rows
  stopped = 1
  line[rows] = $2
  sub("^(" program "[.][ch]pp:|-$)", "", line[rows])
  then[rows] = $0
  sub(/^stop [^ ]* /, "", then[rows])
  ends[rows] = then[rows] ~ /^(ends|throws|leaves)/
  then[rows] = end_of_turn(then[rows])
  line_width = max(line_width, length(line[rows]))
  then_width = max(then_width, columns(then[rows]))
}
/^ready/ {
  ready[n] = substr($0, 7)
  ready_width = max(ready_width, length(ready[n]))
  for (i = 2; i <= NF; i++) {
    id = $i
    gsub(/[()]/, "", id)
    meet(id)
  }
}
/^and so on$/ { goes_on = 1 }

function meet(id) { if (id > tasks) tasks = id }
function max(a, b) { return a > b ? a : b }
function min(a, b) { return a < b ? a : b }

# How a turn ends: the first words and the last ones are the recorder's, between them is the text of the program.
function end_of_turn(text,    its, waits) {
  if (say(text) != text || !match(text, /^(waits for|[a-z]+) /)) return say(text)
  its = substr(text, RLENGTH)
  waits = sub(/ and waits$/, "", its)
  return say(substr(text, 1, RLENGTH - 1)) its (waits ? say(" and waits") : "")
}

function spaces(n) { return n > 0 ? sprintf("%" n "s", "") : "" }

# Takes from rest[i] what fits into n columns, whole words if there are any.
function take(i, n,    text, at) {
  if (columns(rest[i]) <= n) {
    text = rest[i]
    rest[i] = ""
    return text
  }
  for (at = n + 1; at > 1 && substr(rest[i], at, 1) != " "; at--);
  if (at == 1) at = n + 1
  text = substr(rest[i], 1, at - 1)
  rest[i] = substr(rest[i], at)
  sub(/^ +/, "", rest[i])
  return text
}

# The mark of each task: it has the turn, is ready, waits, has ended, or doesn't exist.
function lanes(n, begins,    id, text, mark, queue) {
  queue = " " ready[n] " "
  for (id = 1; id <= tasks; id++) {
    mark = " "
    if (id == who[n]) mark = begins ? "●" : "│"
    else if (index(queue, " " id " ")) mark = "│"
    else if (index(queue, " (" id ") ")) mark = "×"
    else if (alive[id]) mark = "·"
    if (mark == "●" && colour == "yes") mark = sprintf("\033[1;%dm●\033[0m", 31 + id % 6)
    text = text mark " "
  }
  return text
}

function draw_row(head, row, queue,    text, i) {
  rest[1] = print_row[row]
  rest[2] = then[row]
  text = head cell(take(1, print_width), print_width)
  text = text "  " sprintf("%" line_width "s", line[row]) "  " cell(take(2, then_width), then_width)
  text = text (ready_width ? "  " queue : "")
  sub(/ +$/, "", text)
  print text
}

function draw_turn(n,    row, head, begins, i, part, queue) {
  alive[who[n]] = 1
  begins = 1
  for (row = first[n]; row <= last[n]; row++) {
    do {
      head = begins ? sprintf("%4d  ", number[n]) : spaces(6)
      if (tasks) head = head lanes(n, begins) " "
      else head = head cell(begins ? (who[n] == "main" ? "main" : "  " who[n]) : "", who_width) "  "
      draw_row(head, row, begins ? ready[n] : "")
      begins = 0
      print_row[row] = rest[1]
      then[row] = rest[2]
      line[row] = ""
    } while (rest[1] != "" || rest[2] != "")
  }
  part = split(ready[n], queue, " ")
  for (i = 1; i <= part; i++) {
    if (queue[i] ~ /[(]/) alive[substr(queue[i], 2, length(queue[i]) - 2)] = 0
    else alive[queue[i]] = 1
  }
  if (ended[n]) alive[who[n]] = 0
}

END {
  for (n = 1; n <= turns; n++) {
    who_width = max(who_width, length(who[n]) + (who[n] == "main" ? 0 : 2))
    ended[n] = ends[last[n]]
  }
  line_width = max(line_width, 4)
  ready_width = ready_width ? max(ready_width, 5) : 0
  then_width = min(then_width, 30)
  left = 6 + (tasks ? 2 * tasks + 1 : who_width + 2)
  print_width = width - left - line_width - then_width - 4 - (ready_width ? ready_width + 2 : 0)

  head = say("turn") "  "
  for (id = 1; id <= tasks; id++) head = head id " "
  head = head (tasks ? " " : cell(say("who"), who_width) "  ")
  text = head cell(say("prints"), print_width) "  " sprintf("%" (line_width - 4) "s", "") say("line") "  "
  text = text cell(say("then"), then_width) (ready_width ? "  " say("ready") : "")
  sub(/ +$/, "", text)
  print text
  for (n = 1; n <= turns; n++) draw_turn(n)
  if (goes_on) printf say("      ... and so on; these were the first %s turns.") "\n", number[turns]
  if (tasks) print "\n" say("● has the turn   │ is ready   · waits   × (2) has ended, and is skipped")
}
