#!/bin/sh
# The pages for teachers: the schedules add up, the bundle is complete, the doctor finds
# what is missing, and the glossary has the words of the chapters.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
. "$root/tests/expect.sh"
. "$root/tools/setup.sh"
copy_project

# The schedules.
expect 0 tools/schedules --check
prints_nothing
page=docs/workshop/schedules.md

# Each row begins when the one before is over, and the whole takes as long as the plan says.
adds_up() {
  awk '
    /^```/ { fenced = !fenced }
    /^<!-- schedule/ && !fenced { whole = $3; end = -1 }
    /^\| [0-9]/ {
      split($2, at, ":")
      begin = at[1] * 60 + at[2]
      if (end < 0) first = begin
      else if (begin != end) print "there is a gap at " $2
      end = begin + $4
    }
    /^<!-- end -->/ && !fenced && end - first != whole { print end - first " minutes, and not " whole }
  ' $page >"$scratch/gaps"
  [ ! -s "$scratch/gaps" ] || complain "the schedules do not add up: $(cat "$scratch/gaps")"
}
adds_up

cp step03_scheduler/README.md $page "$scratch"
sed -i '/^[*]Time:/s/15 to teach/20 to teach/' step03_scheduler/README.md
expect 1 tools/schedules --check
prints "| 20 | **[Step 3]"
expect 0 tools/schedules
adds_up
sed -i '/^[*]Time:/s/20 to teach/90 to teach/' step03_scheduler/README.md
expect 2 tools/schedules --check
complains "the schedule of 90 minutes does not fit"
complains_in_one_line
sed -i '/^[*]Time:/d' step03_scheduler/README.md
expect 2 tools/schedules --check
complains "step03_scheduler/README.md does not say how long it takes"
cp "$scratch/README.md" step03_scheduler/README.md

# An exercise: one that is there, and one too many.
mkdir away
for exercises in step0*/exercises; do
  [ ! -d "$exercises" ] || mv "$exercises" "away/${exercises%/*}"
done
mkdir -p step03_scheduler/exercises/3a step03_scheduler/exercises/3b
printf 'kind predict\nminutes 8\n' >step03_scheduler/exercises/3a/exercise
printf 'kind change it\nminutes 200\n' >step03_scheduler/exercises/3b/exercise
echo '# 3a: Who is next?' | tee step03_scheduler/exercises/3a/README.md >step03_scheduler/exercises/3b/README.md
expect 0 tools/schedules
grep -qF '| 0:45 | 8 | exercise [3a: Who is next? (predict)](../../step03_scheduler/exercises/3a/README.md) |' $page ||
  complain "the exercise is not in the schedule"
! grep -q 'exercises/3b' $page || complain "an exercise that does not fit is in the schedule"
adds_up
echo 'kind predict' >step03_scheduler/exercises/3a/exercise
expect 2 tools/schedules
complains "step03_scheduler/exercises/3a/exercise does not say how long it takes"
rm -r step0*/exercises
for exercises in away/*; do
  [ ! -d "$exercises" ] || mv "$exercises" "${exercises#away/}/exercises"
done
cp "$scratch/schedules.md" $page
expect 0 tools/schedules --check

# The doctor.
expect 0 ./learn doctor
prints "C++20's compile and run"
prints "port 8000"
# shellcheck disable=SC2016 # these words are for the script that it writes
printf '#!/bin/sh\nfor word; do [ "$word" != -std=c++20 ] || exit 1; done\nexec %s "$@"\n' "$(compiler)" >old
chmod +x old
expect 1 env CXX="$(pwd)/old" ./learn doctor
prints "MISSING  coroutines"
prints "Not ready"
expect 0 "$(compiler)" -std=c++17 tools/doctor_port.cpp -o port
expect 0 "$(compiler)" -std=c++17 step05_nonblocking_io/web_server.cpp -o server
mkfifo said
./server 0 >said &
read -r line <said
port=$(expr "$line" : '.* \([0-9]*\)\.\.\.$')
expect 1 ./port "$port"
kill $!
wait
expect 0 ./port "$port"

# The handout's code is what the chapters teach.
{
  printf '#include <iostream>\n#include "range_for.hpp"\n'
  awk '/^```/ { inside = $0 == "```cpp"; next } inside' docs/workshop/handout.md
  printf 'int main() {\n  Count count;\n  for (int i : count) std::cout << i;\n  std::cout << std::endl;\n}\n'
} >count.cpp
expect 0 "$(compiler)" -std=c++17 -Wall -Wextra -Werror -I step01_generators count.cpp -o count
expect 0 ./count
grep -qx 123 "$scratch/out" || complain "the code of the handout does not count to three"

# The glossary. Each of its words is in the chapter that its entry links to.
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
    tr '\n_' '  ' <"$chapter" | grep -qiF -e "$word" || echo "$chapter: $word"
  done >"$scratch/words"
[ ! -s "$scratch/words" ] || complain "the chapters do not have these words of the glossary: $(cat "$scratch/words")"

# Each word that a chapter defines, in bold inside a sentence, has an entry.
sed -n 's/^[*][*]\([^*]*\)[*][*]:.*/\1/p' docs/glossary.md >"$scratch/entries"
for chapter in step0*/README.md; do
  awk '/^```/ { fenced = !fenced } fenced || /^[|]/ { next }
    { sub(/^(- )?[*][*][^*]*[*][*]/, ""); n = split($0, part, "[*][*]"); for (i = 2; i < n; i += 2) print part[i] }' "$chapter" |
    while read -r word; do
      grep -qixF -e "$word" -e "${word%s}" "$scratch/entries" || echo "$chapter: $word"
    done
done >"$scratch/words"
[ ! -s "$scratch/words" ] || complain "the glossary does not have these words of the chapters: $(cat "$scratch/words")"

# The bundle, unpacked where there is nothing else.
if [ -n "$(missing_docs_packages)" ]; then
  echo "the bundle was not tried: the site needs $(missing_docs_packages)"
  finish
fi
mkdir work && echo mine >work/mine.cpp
expect 0 ./learn bundle
prints "$(pwd)/build/cooperative-multitasking.tar.gz"
is_plain
mkdir "$scratch/a laptop" && cd "$scratch/a laptop" || exit 2
expect 0 tar -xzf "$scratch/project/build/cooperative-multitasking.tar.gz"
cd cooperative-multitasking || exit 2
expect 0 cat START_HERE.txt
prints "sudo apt-get install g++ make cmake catch2 libuv1-dev pkg-config patch"
for file in site/index.html site/workshop.html site/slides.html code/learn code/README.md; do
  [ -s $file ] || complain "there is no $file"
done
for file in code/build code/work code/.git; do
  [ ! -e $file ] || complain "there is a $file"
done
cd code || exit 2
expect 0 ./learn check 1
prints "naturals         ok"
finish
