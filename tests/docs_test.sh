#!/bin/sh
# The site: it builds without a warning, its links lead somewhere, nothing of the nine steps was mixed
# up; and a mistake in a page stops the build. Exit status 77, which CTest calls skipped, where
# Doxygen and its theme are not installed.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
. "$root/tools/setup.sh"
missing=$(missing_docs_packages)
if [ -n "$missing" ]; then
  echo "skipped: the site needs $missing"
  exit 77
fi
. "$root/tests/expect.sh"
copy_project

has_text() { # has_text PAGE TEXT
  grep -qF -e "$2" "build/site/$1" || complain "$1 has no '$2'"
}

expect 0 ./learn docs
prints "Open file://$scratch/project/build/site/index.html"

for n in 1 2 3 4 5 6 7 8 9; do
  has_text "step0$n.html" "api/step0$n/index.html"
  has_text "api/step0$n/index.html" "../../step0$n.html"
  [ $n = 9 ] || has_text "step0$n.html" "rel=\"next\" href=\"step0$((n + 1)).html\""
  [ $n = 1 ] || has_text "step0$n.html" "rel=\"prev\" href=\"step0$((n - 1)).html\""
done

# What would be lost without our settings: code at the edge of bold text, comments in code.
has_text step01.html '<b><code>next()</code> is the first call.</b>'
has_text step01.html '/// Returns false after the end of the body.'

# Scheduler is a class of seven steps, and not the same in any two of them.
for n in 3 4 5 6 7 8; do
  has_text api.html "api/step0$n/classScheduler.html"
done
has_text api/step07/classScheduler.html 'step07'
! grep -q 'kill_task' build/site/api/step03/classScheduler.html || complain "step 3 cannot kill a task"
has_text api/step07/classScheduler.html 'limit_deadlines'
! cmp -s build/site/api/step03/classScheduler.html build/site/api/step07/classScheduler.html ||
  complain "step 3 and step 7 have the same Scheduler"
has_text api/step03/program_two_tasks.html 'href="classScheduler.html">Scheduler</a> scheduler'
has_text api/step03/program_two_tasks.html 'This is task 1 iteration 10.'

# Every page of the book is in the tree.
for page in build/docs/book/*.md; do
  page=$(basename "$page" .md)
  [ "$page" = start ] || grep -qF "\"$page.html" build/site/navtreeindex*.js ||
    complain "$page is not in the tree of pages"
done

# shellcheck disable=SC2046,SC2317 # no page has a blank in its name; it is called by expect
check_links() { (cd build/site && awk -f "$root/tests/links.awk" $(find . -name '*.html')); }
expect 0 check_links
echo '<a href="nowhere.html">x</a><a href="index.html#nowhere">y</a>' >>build/site/step01.html
expect 1 check_links
prints 'step01.html: there is no nowhere.html'
prints 'step01.html: there is no place index.html#nowhere'

# Mistakes stop the build, and it says where they are.
spoil() { # spoil FILE LINE MESSAGE
  cp "$1" "$scratch/kept"
  echo "$2" >>"$1"
  expect 2 ./learn docs
  complains "$3"
  cp "$scratch/kept" "$1"
}
spoil step03_scheduler/README.md '[gone](gone.hpp)' 'step03_scheduler/README.md: the link gone.hpp leads nowhere'
spoil step03_scheduler/task.hpp 'struct Nameless { int x; };' 'Compound Nameless is not documented'
spoil step03_scheduler/task.hpp '/// \param x nothing
void f(int y);' "argument 'x' of command @param is not found"
finish
