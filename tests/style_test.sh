#!/bin/sh
# Checks the form of all files: shell scripts, layout, spelling, the listings of the chapters, and how many lines
# each area has.
# Exit status: 77 if a tool is missing, or without git.
set -u
unset CDPATH
cd "$(dirname "$0")/.." || exit 2
for tool in git shellcheck clang-format-19 codespell; do
  command -v $tool >/dev/null || { echo "skipped: the form of the files, because $tool is not installed"; exit 77; }
done
git ls-files >/dev/null 2>&1 || { echo "skipped: the form of the files, because git does not list them"; exit 77; }

# No file has a space in its name.
# shellcheck disable=SC2046
shellcheck $(git grep -l '^#!/bin/sh') tools/*/*.sh tests/expect.sh &&
  git ls-files '*.hpp' '*.cpp' | xargs clang-format-19 --dry-run -Werror &&
  git ls-files | grep -v -e /expected/ -e sha256 | xargs codespell &&
  tools/keep/chapters --check || exit

# A reader's sed, grep, readlink and awk may be those of a Mac: no option and no escape that only GNU has.
! git grep -nE -e '(^|[^a-z])(sed -[a-z]*i|readlink -f|xargs -d|grep -[a-zA-Z]*P|date -d|stat -c)' \
  -e "(sed|grep) ([^|']*-[a-z]*[a-z] )?'[^']*[\\\\][|+?]" -- '*.md' learn tools '*/judge.sh' '*.run' '*.make' ':!tools/keep' || exit

# Nothing is left of a merge.
! git grep -nE '^(<<<<<<<|>>>>>>>) ' || exit

# No line of Python has more than 100 characters.
! LC_ALL=C.UTF-8 git grep -nE '.{101}' -- '*.py' tools/keep/chapters tools/keep/translation || exit

# Steps and stages use POSIX only, and not MSG_NOSIGNAL, which macOS lacks; step 9 and the judges also know /proc.
names='accept4|pipe2|ppoll|close_range|prctl|syscall|(signal|timer|event)fd(_create)?|epoll_[a-z0-9]+'
! git grep -nwE "$names|MSG_NOSIGNAL|SOCK_(CLOEXEC|NONBLOCK)|SYS_[a-z0-9_]+" -- 'step0*/*.[ch]pp' 'your_scheduler/*.[ch]pp' &&
  ! git grep -nw /proc -- 'step0[1-8]*/*.[ch]pp' || exit

status=0
set -f # so that git expands the pathspecs
while IFS='|' read -r most area paths; do
  case $most in '#'*) continue ;; esac
  # shellcheck disable=SC2086 # a word for each pathspec
  lines=$(git ls-files -- $paths | xargs cat | wc -l)
  if [ "$lines" -eq 0 ] || [ "$lines" -gt "${most% }" ]; then
    echo "${area# } has $lines lines, and tests/ceilings allows ${most% }: raise it in this commit, and say why"
    status=1
  fi
done <tests/ceilings
exit $status
