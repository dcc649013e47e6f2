#!/bin/sh
# The site and its API: they are complete, and a mistake in a page or in a comment stops the build. Exit status: 77 if
# their packages are missing.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
. "$root/tests/expect.sh"
. "$root/tools/learn/setup.sh"
cd "$root" || exit 2
missing=$(missing_docs_packages)
[ -z "$missing" ] || skip_all "the site, because packages are not installed: $missing"
copy_project
sed 's/OWNER/somebody/' "$root/CITATION.cff" >CITATION.cff # so that a page knows where a fault is reported
[ ! -d "$root/build/docs" ] || { mkdir build && cp -Rp "$root/build/docs" build; } # the recordings, which take a minute

complains_nothing() { [ ! -s "$scratch/err" ] || complain "$what: something on stderr"; }
has_text() { # has_text PAGE TEXT...
  page=$1
  shift
  for text; do grep -qF -e "$text" "build/site/$page" || complain "$page has no '$text'"; done
}

expect 0 ./learn bundle
complains_nothing
prints "$scratch/project/build/cooperative-multitasking.tar.gz"
[ -s build/site/index.html ] || finish
expect 0 cmake --preset learn
expect 0 cmake --build build/learn --target docs
complains_nothing
[ -s build/api/group__step09.html ] || complain "the target docs makes no API"
expect 2 tools/book/book.py --help
complains_in_one_line

# The API. Each step has a class and a group of its own, with the first sentence of the class's comment, in the frame of
# the book.
sed -n 's/^\(step0.\)[^ ]* *\([^|]*\) |.*/\1 \2/p' tools/steps >"$scratch/groups"
while read -r step title; do
  n=${step#step0} scope=$step class=Scheduler group=group__$step.html
  [ "$n" -ne 9 ] || scope=coop
  for header in "$step"_*/scheduler.hpp "$step"_*/coop/core/scheduler.hpp "$step"_*/generator.hpp; do [ ! -f "$header" ] || break; done
  [ "${header##*/}" = scheduler.hpp ] || class=Generator
  its=class${scope}_1_1$class.html
  comment=$(awk -v class="$class" '/^\/\/\// { text = text substr($0, 4); next }
    $1 == "class" && $2 == class { sub(/[.].*/, "", text); print substr(text, 2); exit } !/^template/ { text = "" }' "$header")
  [ -n "$comment" ] || complain "$header: no comment of $class"
  has_text api/index.html "<a class=\"el\" href=\"$group\">Step $n: $title</a>"
  has_text "api/$group" "<h1>Step $n: $title" "href=\"$its\">$class" "$comment" "<a href=\"../zh_$step.html\">第 $n 章</a>"
  has_text "api/$its" "<title>$class" "<link rel=\"stylesheet\" href=\"../api.css\">" "<h1>$class" " (step $n)</h1>" \
    "<p>This belongs to <a href=\"../$step.html\">chapter $n</a>, with <a href=\"$group\">" "$comment" \
    "<a href=\"../source/$header.html\">${header#*/}</a>"
  # The drawing of a step with more than three classes has all of them, and no other.
  sed -n 's/.*memItemRight"[^>]*><a class="el" href="[cs][^>]*>\([A-Za-z_]*\)[<&].*/\1/p' "build/site/api/$group" | sort -u >"$scratch/classes"
  sed -n '/<pre class="fragment">/,/<\/pre>/{ /<\/pre>/q; s/<[^>]*>//; p; }' "build/site/api/$group" >"$scratch/drawing"
  if [ "$(wc -l <"$scratch/classes")" -gt 3 ]; then
    while read -r name; do grep -qw "$name" "$scratch/drawing" || complain "docs/api.dox: no $name in the drawing of $step"; done <"$scratch/classes"
  fi
  sed -n 's/^[^A-Za-z]*\([A-Z][A-Za-z]*\).*/\1/p' "$scratch/drawing" >"$scratch/drawn"
  while read -r name; do grep -rqwE "(class|struct|using) $name" "$step"_* || complain "docs/api.dox: $step has no $name"; done <"$scratch/drawn"
  folders=$(sed '1,/<main/d' "build/site/api/$its" | grep -o 'step0[1-9]_[a-z][a-z0-9_]*' | sort -u | xargs)
  [ "$folders" = "${header%%/*}" ] || complain "the API: the $class of $step is from '$folders'"
  ! grep -oh 'href="[a-z]*[0-9]*_1_1[^"]*' build/site/api/*"$scope"_1_1* "build/site/api/$group" | grep -v "${scope}_1_1" >"$scratch/out" ||
    complain "the API: pages of $step lead to another step"
done <"$scratch/groups"
[ "$(wc -l <"$scratch/groups")" -eq 9 ] || complain "the API: not nine groups"
has_text api/group__step04.html 'Destroys a task.'
! grep -q 'Destroys a task' build/site/api/group__step03.html build/site/api/classstep03_* || complain "the API: step 3 cannot kill a task"
has_text api/group__step07.html 'for a wait without a socket'
has_text api/group__step09.html 'The version of the library'
has_text api/classstep03_1_1Scheduler.html 'Programs that use it: <a href="../source/step03_scheduler/countdown.cpp.html">countdown</a>, '
has_text api/group__step01.html '>Xrange<' 'Chapter: '
has_text api/group__step01.html 'title=api/group__step01.html">Something is wrong here<'
find build/site -name '*.html' ! -name 'slides*' -exec grep -L 'class="wrong"' {} + >"$scratch/out"
[ ! -s "$scratch/out" ] || complain "a page has no link to report a fault"
find build/site/api ! -name '*.html' -type f >"$scratch/out"
grep -rlE '<script type|onclick|<img' build/site/api >>"$scratch/out"
[ ! -s "$scratch/out" ] || complain "the API needs something of Doxygen"

# A program as one file prints the same.
for file in build/site/one_file/step0*.cpp; do
  program=${file##*/step0?_} step=${file##*/}
  expect 0 "${CXX:-c++}" -std=c++17 "$file" -o "$scratch/one_file"
  expect 0 "$scratch/one_file"
  cmp -s "$scratch/out" "${step%%_*}"_*/expected/"${program%.cpp}.txt" || complain "$file prints something else"
done

# The pages in reading order: each leads to the next, and back.
before=
sed 's:^README:index:; s:^docs/::; s:^\(step..\)[^/]*/README:\1:; s:^\(step..\)[^/]*/:\1_:; s:md$:html:' tools/pages >"$scratch/way"
while read -r name; do
  [ -z "$before" ] || has_text "$before" "rel=\"next\" href=\"$name\""
  [ -z "$before" ] || has_text "$name" "rel=\"prev\" href=\"$before\""
  [ "$(wc -c <"build/site/$name")" -lt 60000 ] || complain "$name has more than 60 KB"
  ! grep -q '<p>.*Next: <a' "build/site/$name" || complain "$name has its way twice"
  before=$name
done <"$scratch/way"
sed -n '/<nav class="tree"/,/<p>Look up/s/<a href="/\n&/gp' build/site/index.html | sed -n 's/^<a href="\([^"]*\)".*/\1/p' >"$scratch/tree"
sed 1d "$scratch/way" | diff "$scratch/tree" - >"$scratch/out" || complain "the tree of pages is not in reading order"
! grep -q 'data-run' build/site/index.html || complain "the start page shows a run, which a chapter asks about"

for n in 1 2 3 4 5 6 7 8 9; do
  has_text step0$n.html "href=\"notes_step0$n.html\"" '<details><summary>Answer</summary>'
  [ $n = 1 ] || has_text step0$n.html "href=\"step0$((n - 1))_to_step0$n.html\""
  for exercise in step0"$n"_*/exercises/* $(grep -l "^chapter $n" your_scheduler/m*/facts | xargs -n 1 dirname); do
    [ ! -d "$exercise" ] || has_text step0$n.html "href=\"exercise_$(sed -n '1s/^# \([^:]*\):.*/\1/p' "$exercise/README.md").html\""
  done
  has_text book.html "id=\"step0$n-recap\""
  has_text zh_book.html "id=\"zh_step0$n-recap\""
done
has_text book.html '<details open><summary>Answer</summary>'
has_text zh_book.html '<html lang="zh-CN">' '<details open><summary>答案</summary>'
has_text zh_workshop_schedules.html '幻灯片是 <a href="slides_three_hours.html" hreflang="en">' '<td>午饭</td>'
has_text slides.html 'id="step9"'
has_text step03.html '<a href="api/classstep03_1_1Scheduler.html">Scheduler</a>'
has_text step04_to_step05.html '<ins>'
has_text search_data.js '"new_task"'
has_text runs/step04_ann_and_bob.js '"edit","step04_syscalls/ann_and_bob.hpp"' # its bodies are there
has_text runs/step04_carl.js '"edit","step04_syscalls/carl.cpp"'
has_text benchmarks_http.html '<td style="text-align:right">'

# ./learn play makes one file. It knows a program as it was when it was played first.
opens() { # opens ADDRESS TEXT...: it is the page that the command says, and has the text
  [ "$(head -n 1 "$scratch/out")" = "Open file://$scratch/project/build/$1" ] || complain "$what: the page is not $1"
  address=$1
  shift
  has_text "../${address%#*}" "$@"
}
# It plays the program with the other line that the site has.
opens_as_in_the_book() { opens step04_fork.html '"what":["step04_fork_changed",["what if' 'This table shows the program unchanged'; }
play() { # play STATUS: plays fork
  expect "$1" ./learn play 4 fork
}
expect 0 ./learn play 4 carl
opens step04_carl.html '["step","8"]' # beside that of the compiler
play 0
opens_as_in_the_book
cp step04_syscalls/fork.cpp step04_syscalls/scheduler.hpp "$scratch"
sed -i 's/count_ < 3/count_ < 2/' step04_syscalls/fork.cpp
play 0
opens step04_fork.html#turn-4.10-changed 'runData("step04_fork", ' 'runData("step04_fork_changed", ' 'openRun =' '.player {' \
  "'turn-4.10-changed'" 'Task 1 has counted to 3 and forks.' '"what":["step04_fork_changed",["your change, ","' \
  '<del>      while (count_ &lt; 3) {<\/del>'
# The changed program is that of the reader, and so is its table, for those without JavaScript.
for line in '^runData("step04_fork_changed", ' '<td>'; do
  grep -e "$line" build/step04_fork.html >"$scratch/out"
  grep -qF 'Task 1 has counted to 2 and forks.' "$scratch/out" || complain "the changed program does not play"
  ! grep -q 'counted to 3' "$scratch/out" || complain "another program is played than that of the reader"
done
! grep -E '(src|href)="' build/step04_fork.html >"$scratch/out" || complain "the page of the program needs others"
{ cat "$scratch/fork.cpp" && echo '// the end'; } >step04_syscalls/fork.cpp
play 0
has_text ../step04_fork.html '["same"]'
echo 'no C++' >>step04_syscalls/fork.cpp
play 2
complains "fork cannot be played: record_lines: step04_syscalls/fork.cpp: it does not compile"
complains "step04_syscalls/fork.cpp:$(wc -l <step04_syscalls/fork.cpp):1: error: "
has_text ../step04_fork.html '["same"]' # the page is as before
# A build that ends too early leaves the site as it was.
expect 2 ./learn docs
complains "step04_syscalls/fork.cpp: it does not compile"
has_text runs/step04_fork.js 'Task 1 has counted to 3 and forks.'
cp "$scratch/fork.cpp" step04_syscalls
no_queue='s/std::deque<TaskId> ready_;/struct : std::deque<TaskId> {} ready_;/'
sed "$no_queue" "$scratch/scheduler.hpp" >step04_syscalls/scheduler.hpp
play 2
complains "its scheduler runs coroutines, but no task has a turn. The player knows a scheduler by its queue, "
complains_in_one_line
# Another function of the scheduler plays if it has been changed. A program that was never played is compared with what git has.
awk '/void schedule/ { its = 1 } its && sub(/push_back/, "push_front") { its = 0 } 1' "$scratch/scheduler.hpp" >"$scratch/changed.hpp"
cp "$scratch/changed.hpp" step04_syscalls/scheduler.hpp
rm -r build/docs/first
play 0
opens step04_fork.html # git has nothing, either
cp "$scratch/scheduler.hpp" step04_syscalls
{ git init -q && git add step04_syscalls && git -c user.name=test -c user.email=test commit -qm test; } || complain "git does not work"
cp "$scratch/changed.hpp" step04_syscalls/scheduler.hpp
play 0
opens step04_fork.html#turn-1.17-changed '"your change in","fork.cpp","scheduler.hpp:35"]' '["changed","schedule"]'
cp "$scratch/scheduler.hpp" step04_syscalls
play 0
opens_as_in_the_book
rm -rf .git
expect 1 tools/book/play.py step04_syscalls chat
complains_in_one_line
expect 2 tools/book/play.py step04_syscalls
complains_in_one_line
sed 's/count_ < 3/count_ < 2/' "$scratch/fork.cpp" >step04_syscalls/fork.cpp
sed "$no_queue" "$scratch/scheduler.hpp" >step04_syscalls/scheduler.hpp

# Mistakes stop the build, and it prints where they are.
cp step03_scheduler/README.md step03_scheduler/task.hpp step09_reactor/coop/run.hpp "$scratch"
echo '[gone](gone.hpp) [gone](../docs/faq.md#gone)' >>step03_scheduler/README.md
expect 2 ./learn docs
complains 'step03_scheduler/README.md: error: the link gone.hpp leads nowhere'
complains 'step03.html: error: the link faq.html#gone leads nowhere'
grep -q '^step04_syscalls/fork prints something else than expected: its page plays it as it is now.$' build/learn.log ||
  complain "the site does not say that a program has been changed"
grep -q '^step04_syscalls/carl has a scheduler that the player does not know: its page plays it as it is now.$' build/learn.log ||
  complain "the site does not say that it does not know a scheduler"
! grep -q '#turn-' "$scratch/err" || complain "a link to a turn that a changed program does not have stops the build"
cp "$scratch/fork.cpp" "$scratch/scheduler.hpp" step04_syscalls
cp "$scratch/README.md" step03_scheduler
# A warning about a class without a comment names the line of the header, though Doxygen reads something else.
echo 'struct Nameless { int x; };' >>step03_scheduler/task.hpp
echo 'namespace coop { struct Nameless { int x; }; }' >>step09_reactor/coop/run.hpp
expect 2 ./learn docs
complains "step03_scheduler/task.hpp:$(wc -l <step03_scheduler/task.hpp): error: Compound step03::Nameless is not documented"
complains "step09_reactor/coop/run.hpp:$(wc -l <step09_reactor/coop/run.hpp): error: Compound coop::Nameless is not documented"
finish
