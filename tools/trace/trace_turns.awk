# Makes a recording, in the format that tools/trace/trace describes, of what a program prints between the marks of
# trace_recorder.hpp:
#
#   begin                     a body runs
#   stop LINE WHAT            it has stopped; in a turn with calls that happens more than once
#   end ADDRESS FRESH NAME    it belonged to this generator
#   task [ID ID...]           a task has its turn; with the queue before it, the first one of which it is
#   turn ID ID...             the turn of a task has ended; with the queue after it
#
# Of a long run, only the beginning is read. A turn that a signal has ended is left out: the file `status` says so.

BEGIN { longest = 40 }

function last_stop(end) {
  if (what != "") facts = facts "stop " place " " (what == "ends" ? end : what) "\n"
  what = ""
}

function end_turn(who, ready) {
  if (turns == longest) {
    print "and so on"
    exit done = 1
  }
  last_stop("ends")
  if (turns > 0 || who != "main") turns++ # what main prints before the first turn is turn 0
  printf "turn %d\nwho %s\n%s%s%s\n", turns, who, facts, printed, ready
  facts = printed = ""
}

function stop(line, reason) {
  last_stop("returns")
  facts = facts printed
  printed = ""
  place = line
  what = reason
}

# A task that asked for something and is not ready waits for it. One of which no body ran has ended before, and leaves
# the queue now.
function end_task(id, queue) {
  if (what == "") stop("-", "leaves the queue")
  if (what ~ /^asks/ && index(queue " ", " " id " ") == 0 && index(queue, "(" id ")") == 0) what = what " and waits"
  end_turn("task " id, "ready" queue "\n")
  runs = 0
}

function main_printed() { if (printed != "") end_turn("main") }

# The name of a generator, with a number if it is not the first of that name.
function name_of(address, fresh, name) {
  if (fresh) names[address] = name (count[name]++ ? " " count[name] : "")
  return names[address]
}

# The text behind the first n words.
function rest(n,    text) {
  text = $0
  while (n--) sub(/^[^ ]* ?/, "", text)
  return text
}

{
  at = index($0, "\001")
  if (at != 1) printed = printed "out " (at ? substr($0, 1, at - 1) : $0) "\n"
  if (!at) next
  $0 = substr($0, at + 1)
}
$1 == "begin" && !runs { main_printed() }
$1 == "stop" { stop($2, rest(2)) }
$1 == "end" && !runs { end_turn(name_of($2, $3, rest(3))) }
$1 == "task" {
  if (runs && first) end_task(first, " " rest(1))
  main_printed()
  runs = 1
  first = $2
}
$1 == "turn" { end_task($2, $3 == "" ? "" : " " rest(2)) }
END {
  if (!done) getline code <status
  if (done || code > 128) exit 0
  if (first) end_task(first, "")
  main_printed()
}
