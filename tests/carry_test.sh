#!/bin/sh
# tools/keep/carry carries a fix from one step to the next.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
command -v git >/dev/null || skip_all "tools/keep/carry, because git is not installed"
copy_project

for step in step0[23]*; do echo '# A page' >"$step/a_page.md"; done
git init -q . && git add -A && git -c user.name=x -c user.email=x@localhost commit -qm all || exit 2
expect 0 tools/keep/carry 3
prints "Nothing that is carried has changed"
echo "It is changed." >>step02_coroutines/a_page.md # each step has pages of its own
expect 0 tools/keep/carry 2
prints "Nothing that is carried has changed"
git checkout -q .
for words in '' x 0 '3 nosuch'; do
  # shellcheck disable=SC2086 # words
  expect 2 tools/keep/carry $words
  complains_in_one_line
done

# It carries a fix in step 2 to all steps that have the file, and keeps the lines that are new in step 7.
# The pages of a step stay in their step.
sed -i 's/ is lost[.]$/ is gone./' step02_coroutines/generator.hpp
echo >>step02_coroutines/notes.md
expect 0 sh -c 'tools/keep/carry 2 || true' # in step 8, the text may be different
! grep 'notes[.]md' "$scratch/out" || complain "the notes of a step were carried"
for step in step0[3-7]*; do
  prints "generator.hpp: carried to $step"
  grep -q ' is gone[.]$' "$step/generator.hpp" || complain "the fix is not in $step"
done
grep -q throw_into step07_errors/generator.hpp || complain "step 7 has lost its own lines"
expect 0 sh -c 'tools/keep/carry 2 || true'
prints "generator.hpp: step05_nonblocking_io has it already"
expect 1 tools/keep/carry 5
prints "generator.hpp: step04_syscalls has the same file, so begin there"

# It stops at a conflict.
git checkout -q .
sed -i 's/ is lost[.]$/ is gone./' step02_coroutines/generator.hpp
sed -i 's/ is lost[.]$/ is dropped./' step06_stacked/generator.hpp
cp step06_stacked/generator.hpp "$scratch/kept"
expect 1 tools/keep/carry 2
prints "generator.hpp: carried to step05_nonblocking_io"
prints "generator.hpp: a conflict in step06_stacked"
expect 1 tools/keep/carry 2 # and again, though steps 3 to 5 have the fix already
prints "generator.hpp: a conflict in step06_stacked"
cmp step06_stacked/generator.hpp "$scratch/kept" || complain "step 6 was changed"
git diff --quiet step07_errors || complain "step 7 was changed"

finish
