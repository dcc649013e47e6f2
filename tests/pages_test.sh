#!/bin/sh
# tools/diff_pages, twin_pages and state_pages: they show the files as they are, and all of them.
# Exit status 77, skipped: without dot (Graphviz) there are no pictures.
set -u
unset CDPATH
export LC_ALL=C
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
command -v dot >/dev/null || {
  echo "skipped: there is no dot (Graphviz)"
  exit 77
}
copy_project
out=$scratch/pages again=$scratch/again
mkdir "$out" "$again"

for tool in diff_pages twin_pages state_pages; do
  expect 0 tools/$tool "$out"
  prints_nothing
  expect 2 tools/$tool
  complains_in_one_line
  expect 2 tools/$tool "$scratch/nosuch"
  expect 0 sh -c "cd / && '$scratch/project/tools/$tool' '$again'"
done
expect 0 diff -r "$out" "$again"

# Painted code as it was. What is looked for stands on lines of its own.
plain() { sed 's/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g'; }

# The pages: tags are closed in order, ids are there once, what the index lists is there.
cat >"$scratch/tags.awk" <<'AWK'
{
  text = text $0 "\n"
}
END {
  while (match(text, /<[^>]*>/)) {
    tag = substr(text, RSTART, RLENGTH)
    text = substr(text, RSTART + RLENGTH)
    if (match(tag, / id="[^"]*"/) && ids[substr(tag, RSTART, RLENGTH)]++) print "twice:" tag
    name = tag
    gsub(/^<\/?|[ \n\/>].*$/, "", name)
    if (tag ~ /^<\//) {
      if (open[depth] != name) print "closes " open[depth] ": " tag
      depth--
    } else if (tag !~ /\/>$/) open[++depth] = name
  }
  if (depth) print "open at the end: " open[depth]
}
AWK
for page in "$out"/*.html; do
  expect 0 awk -f "$scratch/tags.awk" "$page"
  prints_nothing
  expect 0 grep -qF "[block] ${page##*/}" "${page%.html}.md"
done
for index in diffs:8 side_by_side:20 states:7; do
  listed=$(sed -n 's/^- .subpage \([a-z0-9_]*\) .*/\1/p' "$out/${index%:*}.md")
  # shellcheck disable=SC2086 # a word for each page
  set -- $listed
  expect 0 test $# -eq "${index#*:}"
  for page in "$@"; do expect 0 grep -q "^# .* {#$page}" "$out/$page.md"; done
done

# Diffs: each page has a part for each file that is new or has changed; in it stand the lines that
# come and go, as many as diff counts, and without those that go it is the new file.
before=
while read -r step _; do
  [ -z "$before" ] || {
    page=$out/$(echo "$before" | cut -c 1-6)_to_$(echo "$step" | cut -c 1-6).html
    for new in "$step"/*.hpp "$step"/coop/*.hpp "$step"/*.cpp "$step"/programs/*.[hc]pp; do
      old=$before/${new##*/}
      { [ -f "$new" ] && ! cmp -s "$old" "$new"; } || continue
      case $new in *.cpp | */coop/*) [ -f "$old" ] || continue ;; esac
      [ -f "$old" ] || old=/dev/null
      id=$(basename "$new" | tr . _)
      awk -v start="<h2 id=\"$id\">" 'index($0, "<h2 ") { on = index($0, start) } on' "$page" >"$scratch/part"
      grep -F 'class="line' "$scratch/part" | grep -vF '<span class="line go"' | plain | cut -c 3- >"$scratch/shown"
      expect 0 diff "$new" "$scratch/shown"
      expect 0 test "$(grep -cF '<span class="line come"' "$scratch/part")" -eq "$(diff -U 100000 "$old" "$new" | sed 1,3d | grep -c '^[+]')"
      expect 0 test "$(grep -cF '<span class="line go"' "$scratch/part")" -eq "$(diff -U 100000 "$old" "$new" | sed 1,3d | grep -c '^-')"
    done
  }
  before=$step
done <tools/steps
# Only what is unchanged is folded inside a file.
# shellcheck disable=SC2016 # it is awk
expect 0 awk '/unchanged<\/summary>/ { folded = 1 }
               folded && /class="line (come|go)/ { print FILENAME ": " $0 }
               /<\/details>/ { folded = 0 }' "$out"/*_to_*.html
prints_nothing
expect 0 grep -q "lines unchanged" "$out/step04_to_step05.html"
expect 0 grep -qF '<p>Unchanged: <code>generator.hpp</code>.</p>' "$out/step03_to_step04.html"

# Side by side: all programs that both have, whole but for the #includes; what corresponds, in one row.
row() { awk -v text="$2" 'index($0, text) && match($0, /grid-row:[0-9]+/) { print substr($0, RSTART, RLENGTH) }' "$1"; }
for program in step08_cpp20/*.cpp; do
  name=$(basename "$program" .cpp)
  [ "$name" != client ] || continue # which is no program of a chapter
  for twin in step0[1-7]*/"$name.cpp"; do hand=$twin; done
  [ -f "$hand" ] || continue
  case $name in xrange) hand=step01_generators/xrange.hpp program=step08_cpp20/xrange.hpp ;; esac
  grep -F 'class="line' "$out/side_$name.html" | plain >"$scratch/shown"
  sed '/./,$!d' "$hand" | sed '/^#/d' | sed '/./,$!d' >"$scratch/wanted"
  sed '/^#/d' "$program" | sed '/./,$!d' >>"$scratch/wanted"
  expect 0 diff "$scratch/wanted" "$scratch/shown"
done
page=$out/side_parent_child.html
for pair in 'return</span> kill_task=co_await</span> kill_task' 'class</span> Parent=Coroutine&lt;&gt; task'; do
  expect 0 test -n "$(row "$page" "${pair%%=*}")"
  expect 0 test "$(row "$page" "${pair%%=*}")" = "$(row "$page" "${pair#*=}")"
done

# States: a picture for each `enum class State`, with its states, each with the line of its case.
cat >"$scratch/states.awk" <<'AWK'
/<svg/ { picture++ }
/class="node/ { node = 1 }
/<text/ && node {
  gsub(/<[^>]*>/, "")
  if ($1 != "line") name = $0
  else print picture, name, $2
}
/<\/g>/ { node = 0 }
AWK
for step in step0[1-7]*; do
  page=$out/states_$(echo "$step" | cut -c 1-6).html
  awk '/ enum class State / { body++ }
       $1 == "case" { gsub(/State::|:;?$/, ""); print body, $2, FNR }' "$step"/*.cpp "$step"/*.hpp | sort >"$scratch/wanted"
  awk -f "$scratch/states.awk" "$page" | sort >"$scratch/shown"
  expect 0 diff "$scratch/wanted" "$scratch/shown"
  expect 1 grep -F '"black"' "$page"
done
# Its arrows: the same that a reader finds.
cat >"$scratch/wanted" <<'TEXT'
start||get_task_id()|43|got_id
got_id||new_task(std::make_shared<Child>())|47|started_child
started_child||Nothing{}|53|yielded
yielded|if i_ == 3|kill_task(child_)|57|killed_child
yielded|unless i_ == 3, if i_ <= 6|Nothing{}|53|yielded
yielded|unless i_ == 3, unless i_ <= 6||62|the end
killed_child|if i_ <= 6|Nothing{}|53|yielded
killed_child|unless i_ <= 6||62|the end
TEXT
awk '/<h2/ { on = />Parent</ } on && /^<tr><td>/' "$out/states_step04.html" |
  sed 's/^<tr><td>//; s/<\/td><\/tr>$//; s/<\/td><td>/|/g' | plain >"$scratch/shown"
expect 0 diff "$scratch/wanted" "$scratch/shown"

# No picture is better than a wrong one: refuses SED-SCRIPT WHAT-IT-SAYS, of a body changed so.
refuses() {
  cp step04_syscalls/parent_child.cpp "$scratch/kept"
  sed "$1" "$scratch/kept" >step04_syscalls/parent_child.cpp
  expect 2 tools/state_pages "$again"
  complains_in_one_line
  complains "$2"
  cp "$scratch/kept" step04_syscalls/parent_child.cpp
}
refuses 's/case State::killed_child:;/continue;/' 'Parent cannot be read: continue;'
refuses '/case State::started_child:/d' 'Parent cannot be read: no case for started_child'
refuses '/state_ = State::killed_child;/d' 'Parent cannot be read: return kill_task(child_)'
refuses 's/return Nothing{};/return i_ > 5 ? std::nullopt : Nothing{};/' 'cannot be read: return'
refuses '/switch (state_)/i\    if (i_ > 6) return std::nullopt;' 'does not begin with the switch'
refuses '/int i_ = 0;/a\  void jump() { state_ = State::killed_child; }' 'something else than resume() knows state_'
refuses 's/  enum class State { start, got_id, started/  enum class State : int { start, got_id, started/' 'it has no states'
refuses 's/std::cout << "Parent task "/goto out;/' 'Parent cannot be read: goto'

finish
