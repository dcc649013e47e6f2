#!/bin/sh
# What teachers prepare: the doctor finds what is missing, the packages exist, the code on the pages runs, and the
# bundle is complete.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
. "$root/tests/expect.sh"
. "$root/tools/learn/setup.sh"
cd "$root" || exit 2

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
sed -n "s/^sudo \(apt-get install .*\)/\1/p" README.md | diff "$scratch/lines" - >"$scratch/out" || complain "the README names other packages"
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

# The numbers of the front page that no mark fills in.
says() { grep -qF -e "$1" README.md || complain "README.md does not say '$1'"; }
says "It prints $(wc -l <step03_scheduler/expected/two_tasks.txt) lines. These are its first six turns"
grep -qx 'picture turns step03_scheduler two_tasks 6' tools/trace/pictures || complain "README.md says that its picture has six turns"
says "$(sed -n 's/^\*Time: \([0-9]*\) minutes to read.*/\1/p' step0*/README.md | sort -n | sed -n '1p;$p' | xargs | sed 's/ / to /') minutes to read"
hours=$(grep -h '^\*Time:' step0*/*.md | awk '{ sum += $2 } END { print (sum > 300 && sum < 360 ? "five to six hours" : sum " minutes") }')
says "the book $hours"
says "programs and tests take $(sed -n '1,/the disk is full/s/.*tests take \([0-9]* MB\).*/\1/p' tools/learn/setup.sh)"
stages=$(grep -h '^minutes ' your_scheduler/m*/facts | awk '{ sum += $2 } END { half = sum / NR; print NR, (half >= 25 && half <= 35 ? "about half an hour" : half) }')
says "the last of ${stages%% *} stages"
says "For each stage, which takes ${stages#* }"
oldest='s/^cmake_minimum_required(VERSION \([0-9.]*\)[.][.][.].*/\1/p'
grep -q "^- [*]*CMake:[*]* $(sed -n "$oldest" CMakeLists.txt) for .\./learn" docs/where_it_runs.md || complain "docs/where_it_runs.md asks for another CMake"
says "from CMake $(sed -n "$oldest" step0[1-8]*/CMakeLists.txt | sort -u) on"
says "on Debian $(sed -n 's/^ *release: .\(.*\), \(.*\)]/\1 and \2/p' .github/workflows/check.yml) only"
tools/learn/programs step08_cpp20 | xargs -n 1 >"$scratch/twins"
for step in step0[1-7]*; do tools/learn/programs "$step"; done | xargs -n 1 | grep -vxF -f "$scratch/twins" >"$scratch/out"
[ "$(cat "$scratch/out")" = fork ] || complain "README.md says that only fork has no twin in step 8"

# The container has the packages of the same list, and no others that a reader needs.
sed -n '/apt-get install/,/&&/{s/ *&& .*//; s/\\$//; p; }' .devcontainer/Dockerfile | xargs >"$scratch/out"
grep -qxF "DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends git less \$(awk !/^#/ { print \$2 } /tmp/packages)" "$scratch/out" ||
  complain "the container has other packages than tools/packages"

# The code on the pages.
# runs PAGE N WORDS: the Nth program of a page prints them. It is between $before and $after.
runs() {
  {
    echo "$before"
    awk -v n="$2" '/^```cpp/ { m++ } /^```/ { inside = /cpp/; next } inside && m == n' "docs/workshop/$1.md"
    echo "$after"
  } >"$scratch/code.cpp"
  expect 0 "$(compiler)" -std=c++17 -Wall -Wextra -Werror -I step01_generators "$scratch/code.cpp" -o "$scratch/code"
  "$scratch/code" | xargs >"$scratch/out"
  grep -qxF "$3" "$scratch/out" || complain "a program on a page does not print: $3"
}
before='' after=''
runs prerequisites 1 "30"
runs prerequisites 2 "a is closed text b is closed no data"
before='#include "range_for.hpp"' after='#include <cstdio>
int main() { Count count; for (int i : count) std::printf("%d ", i); }'
runs handout 1 "1 2 3"

# The bundle, unpacked where there is nothing else, with a site of one page.
copy_project
mkdir -p work build/site docs/.git
touch work/mine.cpp build/site/index.html docs/.git/config
expect 0 tools/keep/bundle
prints "$(pwd)/build/cooperative-multitasking.tar.gz"
expect 0 sh -c 'cd build && sha256sum -c cooperative-multitasking.tar.gz.sha256'
[ "$(head -n 1 build/cooperative-multitasking.md)" = "## 0.9.0" ] || complain "the release has no entry of the change list"
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
