#!/bin/sh
# The expected outputs of the original programs are what was recorded: each file of this name, in any
# step, has the hash in tests/recorded.sha256. A recipe must print a text with that hash.
set -u
unset CDPATH
cd "$(dirname "$0")/.." || exit 2

failures=0
while read -r hash name; do
  count=0
  for step in step0*; do
    file=$step/expected/$name
    recipe=${file%.txt}.make
    if [ -f "$file" ]; then
      found=$(cmake -E sha256sum "$file" | cut -c 1-64)
    elif [ -f "$recipe" ]; then
      sh "$recipe" >"${TMPDIR:-/tmp}/recorded.$$" && found=$(cmake -E sha256sum "${TMPDIR:-/tmp}/recorded.$$" | cut -c 1-64)
      rm -f "${TMPDIR:-/tmp}/recorded.$$"
    else
      continue
    fi
    count=$((count + 1))
    if [ "$found" != "$hash" ]; then
      echo "$file is not what was recorded"
      failures=1
    fi
  done
  if [ $count -eq 0 ]; then
    echo "no step has $name"
    failures=1
  fi
done <tests/recorded.sha256
[ $failures -eq 0 ] && echo "as recorded"
exit $failures
