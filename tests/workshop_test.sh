#!/bin/sh
# The pages for teachers: the plans are possible, the code runs, and the glossary has the words of the
# chapters. The doctor finds what is missing, the packages exist, and the bundle is complete.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
. "$root/tests/expect.sh"
. "$root/tools/learn/setup.sh"
cd "$root" || exit 2

# The plans. A heading begins a plan, and a table is one day of it, whose minutes tools/keep/chapters has computed. Exercises
# and stages come after what they need, and there is free time before each break.
awk '
  function wrong(what) { print FILENAME ":" FNR ": " what }
  function end_of_block() {
    if (block > 80) wrong(block " minutes without a break")
    if (!free) wrong("no free time before this")
    block = free = 0
  }
  FNR == 1 {
    page = FILENAME
    sub(/facts$/, "README.md", page)
  }
  /^chapter / && FILENAME ~ /facts$/ { chapter[page] = $2 }
  /^## / { split("", taught); stage = 0 }
  /^\| at / { block = free = 0 }
  /^<!-- end / { end_of_block() }
  /^\| [0-9]+:/ {
    plans++
    page = needs = ""
    if (($6 ~ /^(Exercise|Stage)$/ || $6 ~ /^\*\*\[Step/) && match($0, /(step0|your_scheduler)[^)]*/)) page = substr($0, RSTART, RLENGTH)
    if (page != "") {
      needs = page in chapter ? chapter[page] : substr(page, 6, 1) + 0
      if (page ~ /^step0[^\/]*\/README\.md$/) taught[needs]
    }
    if ($6 == "Predictions:") {
      match($0, /(predict|step) [1-9]/)
      needs = substr($0, RSTART + RLENGTH - 1, 1)
    }
    for (step = 1; step <= needs + 0; step++) if (!(step in taught)) wrong("this needs step " step)
    if (match($0, /(take|at home:) m[0-9]+/)) {
      stage = substr($0, RSTART, RLENGTH)
      sub(/.* m/, "", stage)
    }
    if ($6 == "Stage") {
      gsub(/^[^0-9]*|_.*/, "", page)
      if (page > stage + 1) wrong("m" page " needs m" page - 1)
      stage = page + 0
    }
    if ($6 ~ /^(Break|Lunch)$/) end_of_block()
    else block += $4
    if ($6 == "Free") free = 1
  }
  END { if (!plans) wrong("no plans") }
' your_scheduler/m*/facts docs/workshop/schedules.md >"$scratch/out"
[ ! -s "$scratch/out" ] || complain "a plan is not possible"

# Each exercise and each stage that a page names exists.
for page in docs/workshop.md docs/workshop/*.md tools/exercise/README.md; do
  grep -ow '[1-9][a-z]\|m[1-9][0-9]*' "$page" | sort -u | while read -r name; do
    grep -q "^# $name: " step0*/exercises/*/README.md your_scheduler/m*/README.md || echo "$page: there is no $name"
  done
done >"$scratch/out"
[ ! -s "$scratch/out" ] || complain "a page names an exercise or a stage that does not exist"

# The doctor.
expect 0 ./learn doctor
prints "coroutines   compile and run"
# shellcheck disable=SC2016 # these words are for the script that it writes
printf '#!/bin/sh\nfor word; do [ "$word" != -std=c++20 ] || exit 1; done\nexec %s "$@"\n' "$(compiler)" >"$scratch/old"
chmod +x "$scratch/old"
expect 1 env CXX="$scratch/old" ./learn doctor
prints "ok       C++17"
prints "MISSING  coroutines"
prints "Not ready"

# The packages: the pages name those of tools/packages, and Debian has them.
for needs in "$all_needs" "$docs_needs" "$bench_needs"; do
  echo "apt-get install $(for need in $needs; do debian_package "$need"; done | xargs)"
done >"$scratch/lines"
grep '^apt-get install ' README.md | diff "$scratch/lines" - >"$scratch/out" || complain "the README names other packages"
sed -n '1s/^apt-get install /  /p' "$scratch/lines" | grep -qxF -f - docs/workshop/preflight.md ||
  complain "the recipe for a stick names other packages"
sed 's/^apt-get install //' "$scratch/lines" | tr ' ' '\n' | sort >"$scratch/names"
awk '!/^#/ { print $2 }' tools/packages | sort | diff "$scratch/names" - >"$scratch/out" ||
  complain "tools/packages has other packages than those that are needed"
if find /var/lib/apt/lists -name '*_Packages*' 2>/dev/null | grep -q .; then
  while read -r name; do expect 0 apt-cache show "$name"; done <"$scratch/names"
else
  skip "whether Debian has the packages, because there are no lists of apt"
fi

# The container has the packages of the same list, and no others that a reader needs.
sed -n '/apt-get install/,/&&/{s/ *&& .*//; s/\\$//; p; }' .devcontainer/Dockerfile | xargs >"$scratch/out"
grep -qxF "DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends git less \$(awk !/^#/ { print \$2 } /tmp/packages)" "$scratch/out" ||
  complain "the container has other packages than tools/packages"

# The code on the pages.
code() { awk -v n="$2" '/^```cpp/ { m++ } /^```/ { inside = /cpp/; next } inside && m == n' "docs/workshop/$1.md"; }
# runs WORDS: the program $scratch/code.cpp prints them.
runs() {
  expect 0 "$(compiler)" -std=c++17 -Wall -Wextra -Werror -I step01_generators "$scratch/code.cpp" -o "$scratch/code"
  "$scratch/code" | xargs >"$scratch/out"
  grep -qxF "$1" "$scratch/out" || complain "a program on a page does not print: $1"
}
{
  printf '#include <iostream>\n#include "range_for.hpp"\n'
  code handout 1
  printf 'int main() {\n  Count count;\n  for (int i : count) std::cout << i << " ";\n}\n'
} >"$scratch/code.cpp"
runs "1 2 3"
code prerequisites 1 >"$scratch/code.cpp"
runs "30"
code prerequisites 2 >"$scratch/code.cpp"
runs "a is closed text b is closed no data"

# The glossary. Each of its words is in the chapter that its entry links to, or on the second page of this chapter.
awk '
  /^[*][*]/ { split($0, part, "[*][*]"); words = part[2] }
  /^\[Chapter [1-9]\]\(\.\.\/step/ {
    split($0, part, "[()]")
    n = split(words, word, ", ")
    for (i = 1; i <= n; i++) print substr(part[2], 4), word[i]
    words = ""
  }
  /^(#|$)/ && words != "" { print "docs/glossary.md no link after:", words }' docs/glossary.md |
  while read -r chapter word; do
    grep "^${chapter%/*}/" tools/pages | xargs cat | tr '\n_' '  ' | grep -qiF -e "$word" || echo "$chapter: $word"
  done >"$scratch/words"
[ ! -s "$scratch/words" ] || complain "the chapters do not have these words of the glossary: $(cat "$scratch/words")"

# Each word that a chapter defines, in bold inside a sentence, has an entry.
sed -n 's/^[*][*]\([^*]*\)[*][*]:.*/\1/p' docs/glossary.md >"$scratch/entries"
grep '^step' tools/pages | while read -r chapter; do
  awk '/^```/ { fenced = !fenced } fenced || /^[|]/ { next }
    { sub(/^([->] )?[*][*][^*]*[*][*]/, ""); n = split($0, part, "[*][*]"); for (i = 2; i < n; i += 2) print part[i] }' "$chapter" |
    while read -r word; do
      grep -qixF -e "$word" -e "${word%s}" "$scratch/entries" || echo "$chapter: $word"
    done
done >"$scratch/words"
[ ! -s "$scratch/words" ] || complain "the glossary does not have these words of the chapters: $(cat "$scratch/words")"

# The bundle, unpacked where there is nothing else, with a site of one page.
copy_project
mkdir -p work build/site docs/.git
touch work/mine.cpp build/site/index.html docs/.git/config
expect 0 tools/keep/bundle
prints "$(pwd)/build/cooperative-multitasking.tar.gz"
mkdir "$scratch/a laptop" && cd "$scratch/a laptop" || exit 2
expect 0 tar -xzf "$scratch/project/build/cooperative-multitasking.tar.gz"
cd cooperative-multitasking || exit 2
[ -e site/index.html ] || complain "the bundle has no site"
expect 0 cat START_HERE.txt
prints "sudo apt-get install g++ make cmake catch2 libuv1-dev pkg-config patch"
prints "./learn check 1 "
cd code || exit 2
for folder in build work docs/.git; do
  [ ! -e $folder ] || complain "the bundle has the folder $folder"
done
expect 0 ./learn check 1
prints "naturals         ok"

# In a checkout, the bundle has only the files that git knows, and there is none if git refuses the folder.
has git || skip_all "the bundle of a checkout, because git is not installed"
cd "$scratch/project" && rm -r docs/.git || exit 2
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git init -q . && git add -A && touch private.txt || exit 2
expect 0 tools/keep/bundle
tar -tzf build/cooperative-multitasking.tar.gz >"$scratch/packed"
grep -q '/code/learn$' "$scratch/packed" || complain "the bundle has no file that git knows"
! grep -q 'private[.]txt\|/[.]git/' "$scratch/packed" || complain "the bundle has private files"
rm build/*.tar.gz
expect 128 env GIT_TEST_ASSUME_DIFFERENT_OWNER=1 tools/keep/bundle # as if another user owned the folder
complains "dubious ownership"
[ ! -e build/cooperative-multitasking.tar.gz ] || complain "there is a bundle, although git refuses the folder"
finish
