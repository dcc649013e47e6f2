#!/bin/sh
# The API and the site: they are complete, and a mistake in a page or in a comment stops the build. Exit status: 77 if
# their packages are missing.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
. "$root/tests/expect.sh"
. "$root/tools/learn/setup.sh"
cd "$root" || exit 2
missing=$(missing_packages doxygen)
[ -z "$missing" ] || skip_all "the API and the site, because packages are not installed: $missing"
copy_project

# The API, in a copy without a folder `build`.
complains_nothing() { [ ! -s "$scratch/err" ] || complain "$what: something on stderr"; }
of_api() { # of_api PAGE TEXT
  grep -qF -e "$2" "build/api/$1" || complain "the API: $1 has no '$2'"
}
expect 0 doxygen docs/Doxyfile
prints_nothing
complains_nothing
sed -n 's/^\(step0.\)[^ ]* *\([^|]*\) |.*/\1 \2/p' tools/steps >"$scratch/groups"
while read -r step title; do
  group=group__$step.html
  of_api index.html "<a class=\"el\" href=\"$group\">Step ${step#step0}: $title</a>"
  scope=$step
  [ "$step" != step09 ] || scope=coop
  class=Scheduler
  for header in "$step"_*/scheduler.hpp "$step"_*/coop/core/scheduler.hpp "$step"_*/generator.hpp; do [ ! -f "$header" ] || break; done
  [ "${header##*/}" = scheduler.hpp ] || class=Generator
  page=class${scope}_1_1$class.html
  # The first sentence of its comment.
  comment=$(awk -v class="$class" '/^\/\/\// { text = text substr($0, 4); next }
    $1 == "class" && $2 == class { sub(/[.].*/, "", text); print substr(text, 2); exit } !/^template/ { text = "" }' "$header")
  [ -n "$comment" ] || complain "$header: no comment of $class"
  of_api "$page" "$comment"
  of_api "$group" "href=\"$page\">$class"
  of_api "$group" "$comment"
  folders=$(grep -o 'step0[1-9]_[a-z][a-z0-9_]*' "build/api/$page" | sort -u | xargs)
  [ "$folders" = "${header%%/*}" ] || complain "the API: the $class of $step is from '$folders'"
  ! grep -oh 'href="[a-z]*[0-9]*_1_1[^"]*' build/api/*"$scope"_1_1* "build/api/$group" | grep -v "${scope}_1_1" >"$scratch/out" ||
    complain "the API: pages of $step lead to another step"
done <"$scratch/groups"
[ "$(wc -l <"$scratch/groups")" -eq 9 ] || complain "the API: not nine groups"
of_api group__step04.html 'Destroys a task.'
! grep -q 'Destroys a task' build/api/group__step03.html build/api/classstep03_* || complain "the API: step 3 cannot kill a task"
of_api group__step07.html 'for a wait without a socket'
of_api group__step09.html 'The version of the library'
grep -oh 'href="[^"#:]*' build/api/*.html | sort -u | sed 's/href="//' | while read -r page; do
  [ -z "$page" ] || [ "$page" = https ] || [ -f "build/api/$page" ] || echo "$page"
done >"$scratch/out"
[ ! -s "$scratch/out" ] || complain "the API: links lead nowhere"

mistakes() { # adds two classes without a comment
  cp step03_scheduler/task.hpp step09_reactor/coop/run.hpp "$scratch"
  echo 'struct Nameless { int x; };' >>step03_scheduler/task.hpp
  echo 'namespace coop { struct Nameless { int x; }; }' >>step09_reactor/coop/run.hpp
}
no_mistakes() {
  cp "$scratch/task.hpp" step03_scheduler
  cp "$scratch/run.hpp" step09_reactor/coop
}
# A warning names the line of the header, though Doxygen reads something else.
name_mistakes() {
  complains "step03_scheduler/task.hpp:$(wc -l <step03_scheduler/task.hpp): error: Compound step03::Nameless is not documented"
  complains "step09_reactor/coop/run.hpp:$(wc -l <step09_reactor/coop/run.hpp): error: Compound coop::Nameless is not documented"
}
mistakes
expect 1 doxygen docs/Doxyfile
name_mistakes
no_mistakes

# The site.
missing=$(missing_docs_packages)
if [ -n "$missing" ]; then
  skip "the site, because packages are not installed: $missing"
  finish
fi
rm -rf build
[ ! -d "$root/build/docs" ] || { mkdir build && cp -Rp "$root/build/docs" build; } # the recordings, which take a minute

has_text() { # has_text PAGE TEXT
  grep -qF -e "$2" "build/site/$1" || complain "$1 has no '$2'"
}

expect 0 ./learn bundle
complains_nothing
prints "$scratch/project/build/cooperative-multitasking.tar.gz"
[ -s build/site/index.html ] || finish
expect 0 cmake --build build/learn --target docs
complains_nothing
[ -s build/api/group__step09.html ] || complain "the target docs makes no API"
expect 2 tools/book/book.py --help
complains_in_one_line

# The pages in reading order: each leads to the next, and back.
before=
sed 's:^README:index:; s:^docs/::; s:^\(step..\)[^/]*/README:\1:; s:^\(step..\)[^/]*/:\1_:; s:md$:html:' tools/pages >"$scratch/way"
sed 1d "$scratch/way" >"$scratch/tree"
while read -r page; do
  [ -z "$before" ] || has_text "$before" "rel=\"next\" href=\"$page\""
  [ -z "$before" ] || has_text "$page" "rel=\"prev\" href=\"$before\""
  [ "$(wc -c <"build/site/$page")" -lt 60000 ] || complain "$page has more than 60 KB"
  [ "$page" = index.html ] || has_text index.html "<li><a href=\"$page\""
  ! grep -q '<p>.*Next: <a' "build/site/$page" || complain "$page has its way twice"
  before=$page
done <"$scratch/way"
sed -n '/<nav class="tree"/,/<p>Look up/s/<a href="/\n&/gp' build/site/index.html | sed -n 's/^<a href="\([^"]*\)".*/\1/p' |
  diff - "$scratch/tree" >"$scratch/out" || complain "the tree of pages is not in reading order"
! grep -q 'data-run' build/site/index.html || complain "the start page shows a run, which a chapter asks about"

for n in 1 2 3 4 5 6 7 8 9; do
  page=step0$n.html
  has_text index.html "<a href=\"$page\">"
  has_text $page "href=\"notes_$page\""
  has_text $page '<details><summary>Answer</summary>'
  has_text slides.html "id=\"step$n\""
  has_text book.html "id=\"step0$n-recap\""
  [ $n = 1 ] || has_text $page "href=\"step0$((n - 1))_to_step0$n.html\""
  for exercise in step0"$n"_*/exercises/* $(grep -l "^chapter $n" your_scheduler/m*/facts | xargs -n 1 dirname); do
    [ ! -d "$exercise" ] || has_text $page "href=\"exercise_$(sed -n '1s/^# \([^:]*\):.*/\1/p' "$exercise/README.md").html\""
  done
done

# Scheduler is a class of seven steps, and each of them has a page of its own for it.
has_text api/classstep07_1_1Scheduler.html 'limit_deadlines'
! grep -q 'kill_task' build/site/api/classstep03_1_1Scheduler.html || complain "step 3 cannot kill a task"
has_text step03.html '<a href="api/classstep03_1_1Scheduler.html">Scheduler</a>'
has_text step04_to_step05.html '<ins>'
has_text search_data.js '"new_task"'
has_text runs/step04_ann_and_bob.js '"edit","step04_syscalls/ann_and_bob.hpp"' # its bodies are there
has_text runs/step04_carl.js '"edit","step04_syscalls/carl.cpp"'
has_text benchmarks_http.html '<td style="text-align:right">'
! grep -rn 'src="http' build/site --include='*.html' || complain "the site needs a network"

# ./learn play makes one file. It knows a program as it was when it was played first.
plays() { # plays TEXT: the page of the program has it
  grep -qF -e "$1" build/step04_fork.html || complain "the page of the program has no '$1'"
}
opens() { # opens ADDRESS: it is the page that the command says
  [ "$(head -n 1 "$scratch/out")" = "Open file://$scratch/project/build/$1" ] || complain "$what: the page is not $1"
}
expect 0 ./learn play 4 carl
grep -qF '["step","8"]' build/step04_carl.html || complain "carl by hand does not play beside that of the compiler"
expect 0 ./learn play 4 fork
opens step04_fork.html
as_in_the_book() { # the page of the program plays it with the other line that the site has
  plays '"what":["step04_fork_changed",["what if'
  plays 'The table is of the program as it stands in its step'
}
as_in_the_book
cp step04_syscalls/fork.cpp "$scratch"
sed -i 's/count_ < 3/count_ < 2/' step04_syscalls/fork.cpp
expect 0 ./learn play 4 fork
opens step04_fork.html#turn-4.10-changed
for part in 'runData("step04_fork", ' 'runData("step04_fork_changed", ' 'openRun =' '.player {' "'turn-4.10-changed'" 'Task 1 has counted to 3 and forks.' '"what":["step04_fork_changed",["your change, ","' \
  '<del>      while (count_ &lt; 3) {<\/del>'; do
  plays "$part"
done
grep '^runData("step04_fork_changed", ' build/step04_fork.html >"$scratch/changed"
grep -qF 'Task 1 has counted to 2 and forks.' "$scratch/changed" || complain "the changed program does not play"
! grep -q 'counted to 3' "$scratch/changed" || complain "another program is played than that of the reader"
# Without JavaScript, its table is of the changed program.
grep '<td>' build/step04_fork.html >"$scratch/table"
grep -qF 'Task 1 has counted to 2 and forks.' "$scratch/table" || complain "the page of the program has no table"
! grep 'counted to 3' "$scratch/table" || complain "the table is of another program than that of the reader"
! grep -E '(src|href)="' build/step04_fork.html >"$scratch/out" || complain "the page of the program needs others: $(head -n 1 "$scratch/out")"
{ cat "$scratch/fork.cpp" && echo '// the end'; } >step04_syscalls/fork.cpp
expect 0 ./learn play 4 fork
plays '["same"]'
echo 'no C++' >>step04_syscalls/fork.cpp
expect 2 ./learn play 4 fork
complains "fork cannot be played: record_lines: step04_syscalls/fork.cpp: it does not compile"
complains "step04_syscalls/fork.cpp:$(wc -l <step04_syscalls/fork.cpp):1: error: "
plays '["same"]' # the page is as before
# A build that ends too early leaves the site as it was.
expect 2 ./learn docs
complains "step04_syscalls/fork.cpp: it does not compile"
has_text runs/step04_fork.js 'Task 1 has counted to 3 and forks.'
cp "$scratch/fork.cpp" step04_syscalls
cp step04_syscalls/scheduler.hpp "$scratch"
sed 's/ready_/queue_/g' "$scratch/scheduler.hpp" >step04_syscalls/scheduler.hpp
expect 2 ./learn play 4 fork
complains "its scheduler runs coroutines, but no task has a turn. The player knows a scheduler by the names that ours has, "
complains_in_one_line
# Another function of the scheduler plays if it has been changed. A program that was never played is compared with what git has.
awk '/void schedule/ { its = 1 } its && sub(/push_back/, "push_front") { its = 0 } 1' "$scratch/scheduler.hpp" >step04_syscalls/scheduler.hpp
rm -r build/docs/first
expect 0 ./learn play 4 fork
opens step04_fork.html # git has nothing, either
cp step04_syscalls/scheduler.hpp "$scratch/changed.hpp"
cp "$scratch/scheduler.hpp" step04_syscalls
{ git init -q && git add step04_syscalls && git -c user.name=test -c user.email=test commit -qm test; } || complain "git does not work"
cp "$scratch/changed.hpp" step04_syscalls/scheduler.hpp
expect 0 ./learn play 4 fork
opens step04_fork.html#turn-1.17-changed
plays '["your change in","fork.cpp","scheduler.hpp:38"]'
plays '["changed","schedule"]'
cp "$scratch/scheduler.hpp" step04_syscalls
expect 0 ./learn play 4 fork
opens step04_fork.html
as_in_the_book
rm -rf .git
expect 1 tools/book/play.py step04_syscalls chat
complains_in_one_line
expect 2 tools/book/play.py step04_syscalls
complains_in_one_line
sed 's/count_ < 3/count_ < 2/' "$scratch/fork.cpp" >step04_syscalls/fork.cpp
sed 's/ready_/queue_/g' "$scratch/scheduler.hpp" >step04_syscalls/scheduler.hpp

# Mistakes stop the build, and it prints where they are.
cp step03_scheduler/README.md "$scratch"
echo '[gone](gone.hpp) [gone](../docs/faq.md#gone)' >>step03_scheduler/README.md
expect 2 ./learn docs
complains 'step03_scheduler/README.md: error: the link gone.hpp leads nowhere'
complains 'step03.html: error: the link faq.html#gone leads nowhere'
grep -q '^step04_syscalls/fork prints something else than expected: its page plays it as it is now.$' build/learn.log ||
  complain "the site does not say that a program has been changed"
grep -q '^step04_syscalls/carl has a scheduler with other names than ours: its page plays it as it is now.$' build/learn.log ||
  complain "the site does not say that it does not know a scheduler"
! grep -q '#turn-' "$scratch/err" || complain "a link to a turn that a changed program does not have stops the build"
cp "$scratch/fork.cpp" "$scratch/scheduler.hpp" step04_syscalls
cp "$scratch/README.md" step03_scheduler/README.md
mistakes
expect 2 ./learn docs
name_mistakes
finish
