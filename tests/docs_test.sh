#!/bin/sh
# The site: it is complete, and a mistake in a page or in a comment stops the build. Exit status 77, which CTest
# calls skipped, if its packages are not installed.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
. "$root/tools/setup.sh"
cd "$root" || exit 2
missing=$(missing_docs_packages)
if [ -n "$missing" ]; then
  echo "skipped: the site needs $missing"
  exit 77
fi
. "$root/tests/expect.sh"
copy_project
[ ! -d "$root/build/docs" ] || { mkdir build && cp -Rp "$root/build/docs" build; } # the recordings, which take a minute

has_text() { # has_text PAGE TEXT
  grep -qF -e "$2" "build/site/$1" || complain "$1 has no '$2'"
}

expect 0 ./learn bundle
prints "$scratch/project/build/cooperative-multitasking.tar.gz"
[ -s build/site/index.html ] || finish
expect 0 doxygen docs/Doxyfile
expect 2 tools/book/book.py --help
complains_in_one_line

# The pages in reading order: each leads to the next, and back.
before=
sed 's:^README:index:; s:^docs/::; s:^\(step..\)[^/]*/README:\1:; s:^\(step..\)[^/]*/:\1_:; s:md$:html:' tools/pages >"$scratch/way"
while read -r page; do
  [ -z "$before" ] || has_text "$before" "rel=\"next\" href=\"$page\""
  [ -z "$before" ] || has_text "$page" "rel=\"prev\" href=\"$before\""
  [ "$(wc -c <"build/site/$page")" -lt 60000 ] || complain "$page has more than 60 KB"
  [ "$page" = index.html ] || has_text index.html "<li><a href=\"$page\""
  ! grep -q '<p>.*Next: <a' "build/site/$page" || complain "$page has its way twice"
  before=$page
done <"$scratch/way"
! grep -q 'data-run' build/site/index.html || complain "the start page shows a run, which a chapter asks about"

for n in 1 2 3 4 5 6 7 8 9; do
  page=step0$n.html
  has_text index.html "<a href=\"$page\">"
  has_text $page "href=\"notes_$page\""
  has_text $page '<details><summary>Answer</summary>'
  has_text slides.html "id=\"step$n\""
  has_text book.html "id=\"step0$n-recap\""
  [ $n = 1 ] || has_text $page "href=\"step0$((n - 1))_to_step0$n.html\""
  for exercise in step0"$n"_*/exercises/*; do
    has_text $page "href=\"exercise_${exercise##*/}.html\""
  done
done

# Scheduler is a class of seven steps, and each of them has a page of its own for it.
has_text api/step07/classScheduler.html 'limit_deadlines'
! grep -q 'kill_task' build/site/api/step03/classScheduler.html || complain "step 3 cannot kill a task"
has_text step03.html '<a href="api/step03/classScheduler.html">Scheduler</a>'
has_text step04_to_step05.html '<ins>'
has_text search_data.js '"new_task"'
has_text benchmarks_http.html '<td style="text-align:right">'
! grep -rn 'src="http' build/site --include='*.html' || complain "the site needs a network"

# Mistakes stop the build, and it prints where they are.
cp step03_scheduler/README.md "$scratch"
echo '[gone](gone.hpp) [gone](../docs/faq.md#gone)' >>step03_scheduler/README.md
expect 2 ./learn docs
complains 'step03_scheduler/README.md: error: the link gone.hpp leads nowhere'
complains 'step03.html: error: the link faq.html#gone leads nowhere'
cp "$scratch/README.md" step03_scheduler/README.md
echo 'struct Nameless { int x; };' >>step03_scheduler/task.hpp
echo 'namespace coop { struct Nameless { int x; }; }' >>step09_reactor/coop/run.hpp
expect 2 ./learn docs
complains 'Compound Nameless is not documented'
complains 'Compound coop::Nameless is not documented'
finish
