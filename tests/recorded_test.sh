#!/bin/sh
# The expected outputs of the original programs are the recorded ones: each file of this name, in any step, has
# the hash in tests/recorded.sha256. A recipe prints a text with that hash.
set -u
unset CDPATH
cd "$(dirname "$0")/.." || exit 2
. tests/expect.sh

while read -r hash name; do
  found=
  for file in step0*/expected/"$name" step0*/expected/"${name%.txt}.make"; do
    [ -f "$file" ] || continue
    case $file in *.make) expect 0 sh "$file" ;; *) expect 0 cat "$file" ;; esac
    found=$(cmake -E sha256sum "$scratch/out")
    [ "${found%% *}" = "$hash" ] || complain "$file is not what was recorded"
  done
  [ -n "$found" ] || complain "no step has $name"
done <tests/recorded.sha256
finish
