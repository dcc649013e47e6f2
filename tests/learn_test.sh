#!/bin/sh
# ./learn: exit statuses, wrong words, packages, the current exercise, and a program that prints something else.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
copy_project

learn 0 "--help" "usage: ./learn"
is_plain
is_narrow
sed -n 's/^== //p' tools/learn/help.txt | sed 1d >"$scratch/words"
while read -r word; do
  learn 0 "$word --help" "usage: ./learn $word"
  is_narrow
done <"$scratch/words"

learn 0 "help check" "usage: ./learn check"
learn 0 "--help list" "usage: ./learn list"
learn 0 "list 3 --help" "usage: ./learn list"
learn 0 "--version" "coop 0."
for words in "list --json" "--verbose check 3" "check 3 --fast" "check --line"; do
  refuses "$words" "there is no option '--"
done
for shell in bash zsh fish; do learn 0 "completion $shell" "doctor"; done
./learn completion bash >"$scratch/completion"
# shellcheck disable=SC2016 # for the inner shell
expect 0 bash -c '. "$0" && complete -p ./learn' "$scratch/completion"

learn 0 "list" "step03_scheduler" "two_tasks, countdown" "[0 of "
# In a Chinese locale, installed or not, Chinese: the messages, the titles, the help.
for locale in '' zh_CN.UTF-8; do
  for words in "list:3  step03_scheduler       调度器" "list 3:  m3          第 3 章     25 分钟  队列和循环" \
    "help list:用法：./learn list" "doctor:  正常     disk         还有"; do
    # shellcheck disable=SC2086 # words, not one word
    expect 0 env LC_ALL=$locale LC_MESSAGES= LANG=zh_CN.UTF-8 ./learn ${words%%:*}
    prints "${words#*:}"
  done
done
expect 2 env LC_ALL= LC_MESSAGES= LANG=zh_CN.UTF-8 ./learn checck
complains "learn: 没有命令 'checck'（你是想说 'check' 吗？）；见 ./learn --help"
complains_in_one_line
learn 0 "list"
is_plain
is_narrow
learn 0 "doctor" "Ready"
refuses "frobnicate" "no command 'frobnicate'"
for pair in "checck check" "tets test" "ru run" "ls list" "status list" "CHECK check"; do
  refuses "${pair% *}" "did you mean '${pair#* }'?"
done
refuses "run 3 two_task" "did you mean 'two_tasks'?"
for words in "check" "watch" "debug" "trace" "play" "play 9" "play 3a" "play mine x" "predict" "predict 33" \
  "predict 3 4" "predict review 0" "next 3" "list 3 4" "doctor x" "check 3 two_tasks x" "all x" "bench nope" \
  "diff 3" "run 0" "test x" "check 3 nosuch"; do
  refuses "$words"
done

learn 0 "diff 3 4" "+++ step04_syscalls/process.hpp" "+using Yielded = std::variant<Nothing, SystemCall>;"
prints_no "+++ step04_syscalls/generator.hpp" # it did not change

touch "$scratch/stamp"
learn 0 "check 3" "two_tasks        ok     15 lines, identical"
is_plain

learn 0 "check --yes 3 countdown" "countdown        ok     32 lines, identical"
prints_no two_tasks

learn 0 "run 3" "This is task 1 iteration 10."
cmp -s "$scratch/out" step03_scheduler/expected/two_tasks.txt || complain "run 3: other output"

expect 0 find . -newer "$scratch/stamp" -type f ! -path './build/*'
prints_nothing # it writes nowhere else

learn 0 "diff 4 5" "Only in step04_syscalls: mailbox.hpp"
learn 0 "diff 8 9" "+++ step09_reactor/coop/core/scheduler.hpp"
prints_no "+++ step09_reactor/tests/" # only the library

learn 0 "run 3 two_tasks --help" "This is task 1 iteration 10." # the rest belongs to the program
mkdir -p "$scratch/clean/build" "$scratch/clean/work"
cp -R learn tools "$scratch/clean"
: >"$scratch/clean/work/mine"
expect 0 "$scratch/clean/learn" clean
prints "build/ is removed, "
[ ! -e "$scratch/clean/build" ] || complain "clean: build is still here"
[ -e "$scratch/clean/work/mine" ] || complain "clean: work has gone"
expect 0 "$scratch/clean/learn" clean
prints "nothing to remove"

mkdir elsewhere && cd elsewhere || exit 2
expect 0 ../learn run 2 logger here
[ -s here ] || complain "the program did not run in the caller's folder"
expect 0 ../learn run 2 logger
[ -s log ] || complain "without a name, the logger does not write to the file log"
expect 2 ../learn run 5 web_server nonsense
complains "usage:"
complains_in_one_line
expect 2 ../learn run 5 client
complains "usage: client"
cd ..

ln -s "$scratch/project/learn" "$scratch/link"
CDPATH=.:/tmp expect 0 "$scratch/link" check 2

# Packages: a machine without compiler, make, cmake, pkg-config and gdb. Its apt-get installs g++.
bare=$scratch/bare
mkdir "$bare" && ln -s /bin/* "$bare" 2>/dev/null
ln -s /usr/bin/* "$bare" 2>/dev/null
(cd "$bare" && rm -f ./*g++* ./*gcc* ./c++* ./*clang* ./cmake ./make ./pkg-config ./gdb ./apt-get ./id)
printf '#!/bin/sh\necho 0\n' >"$bare/id"
cat >"$bare/apt-get" <<SH
#!/bin/sh
echo "\$*" >>"$scratch/apt"
[ "\$1" = update ] || ln -s "$(command -v g++)" "$bare/g++"
SH
chmod +x "$bare/id" "$bare/apt-get"
mv build kept_build
bare() { PATH=$bare CXX='' "$@"; }
for words in "frobnicate" "run 1 nosuch" "test x" "bench nope" "trace 3 nosuch" "play 3 nosuch" "docs x" "check 3a" "list" "next" \
  "hint 1a"; do
  # shellcheck disable=SC2086 # words, not one word
  bare ./learn $words >"$scratch/out" 2>&1 </dev/null
  [ ! -e "$scratch/apt" ] || complain "$words: packages are installed"
done
expect 2 env PATH="$bare" CXX=clang++ ./learn run 1 interruptible # only g++ would be installed
complains "CXX is 'clang++'"
[ ! -e "$scratch/apt" ] || complain "CXX=clang++: packages are installed"
expect 2 env PATH="$bare" CXX=g++ ./learn run 1 interruptible # also as root
complains "needs packages that are not installed yet: g++" "This takes about 60 seconds" "the option --yes"
[ ! -e "$scratch/apt" ] || complain "packages are installed without a question"
expect 0 env PATH="$bare" CXX=g++ ./learn run --yes 1 interruptible
prints "nothing has run yet"
grep -q 'install .* g++$' "$scratch/apt" || complain "other packages than g++ are installed for step 1"
[ ! -e build/learn/CMakeCache.txt ] || complain "run 1 has configured all steps"
expect 0 bare ./learn check 3
# needs WORDS PACKAGES: what else these words would install.
printf '#!/bin/sh\nexit 1\n' >"$bare/apt-get"
needs() {
  # shellcheck disable=SC2086 # words, not one word
  expect 2 bare ./learn $1
  complains "not installed yet: $2"
  ! grep -q "yet: $2 " "$scratch/err" || complain "$1: more packages"
}
needs "run 9" "make cmake pkg-config"
needs "" "make cmake pkg-config"
needs "test 3" "make cmake"
printf '#!/bin/sh\ntrue\n' >"$bare/apt-get"
expect 2 bare ./learn # which asks nobody
complains "the installation has succeeded, but make cmake pkg-config cannot be used"
printf '#!/bin/sh\necho cmake version 3.20.6\n' >"$bare/cmake" && chmod +x "$bare/cmake"
for words in "" "check 9" "test 3"; do PATH=$bare refuses "$words" "CMake 3.21 or newer is needed, and this machine has 3.20.6: $bare/cmake"; done
expect 1 bare ./learn doctor
prints "CMake 3.21 or newer is needed, and this machine has 3.20.6"
for system in Darwin:macOS MINGW64_NT-10.0:WSL; do
  printf '#!/bin/sh\necho %s\n' "${system%:*}" >"$scratch/uname" && rm -f "$bare/uname" && mv "$scratch/uname" "$bare" && chmod +x "$bare/uname"
  expect 1 bare ./learn doctor
  prints "note     system       " "${system#*:}"
done
TMPDIR=/nonexistent refuses "check 3" "TMPDIR is '/nonexistent', and nothing can be written there"
expect 0 cmake --preset learn -B "$scratch/without" -DCMAKE_DISABLE_FIND_PACKAGE_Catch2=ON # only tests need it
rm -rf build work && mv kept_build build

# CXX.
CXX=nosuch refuses "run 3" "CXX is 'nosuch'"

# A checkout that cannot be written, and a full disk.
mv build kept_build && : >build
: >work
for words in "run 3" "run 9" "trace 3" "next" "predict 3"; do refuses "$words" "cannot be written to"; done
learn 2 "" # which has said how long it takes
complains "cannot be written to"
complains_in_one_line
rm build work && mv kept_build build
mkdir "$scratch/full"
printf '#!/bin/sh\necho "No space left on device" >&2; exit 1\n' >"$scratch/full/c++"
printf '#!/bin/sh\nprintf "Filesystem\\n/dev/x 100 100 0 100%%%% /\\n"\n' >"$scratch/full/df"
chmod +x "$scratch/full/c++" "$scratch/full/df"
full() { PATH="$scratch/full:$PATH" CXX="$scratch/full/c++" refuses "$1" "the disk is full"; }
full "run 3"
full "trace 3"

# A learner's own version of the scheduler, written in another way than ours.
learn 0 "exercise 3a"
(cd work/3a && for file in *.[hc]pp; do
  # shellcheck disable=SC2046 # a word for each option
  "${CXX:-c++}" $(cat compile_flags.txt) -x c++ -Wno-pragma-once-outside-header -fsyntax-only "$file" || exit 2
done) >"$scratch/out" 2>&1 || complain "compile_flags.txt: an editor would report errors"
awk '/Your turn/ {
  print "    while (ready_.size() > 0) {\n      Task first = ready_.front();\n      ready_.pop_front();"
  print "      const auto yielded = first.run();\n      if (yielded) ready_.push_back(first);\n    }"
} !/ \/\/ (Your turn|it back)/' work/3a/scheduler.hpp >changed && mv changed work/3a/scheduler.hpp
learn 0 "run 3a"
cmp -s "$scratch/out" step03_scheduler/expected/two_tasks.txt || complain "run 3a: other output"
learn 0 "trace 3a" "   2  │ ●  This is task 2 iteration 1.                         39  yields  1 2" \
  "  17  ●                                                        23  ends"
sed -i '0,/case State::yielded:;/s//case State::yielded: if (i_ == 2) std::abort();/' work/3a/two_tasks.cpp
expect 2 ./learn trace 3a # a program that crashes
prints "   2  │ ●  This is task 2 iteration 1.                         39  yields  1 2"
complains "ended with exit status 134"
cp step03_scheduler/two_tasks.cpp work/3a
if has_gdb; then
  printf 'info breakpoints\nrun\nbacktrace\nkill\nquit\n' >"$scratch/commands"
  ./learn debug 3a <"$scratch/commands" >"$scratch/out" 2>"$scratch/err" || complain "debug 3a"
  what="debug 3a"
  prints "Type a command and press Enter." "Breakpoint 1 at" "file work/3a/generator.hpp" \
    "Breakpoint 2, Scheduler::run"
  # The first changed line of code, and not the #include or the member before it.
  learn 0 "exercise 4b"
  cp step04_syscalls/exercises/4b/program.cpp work/4b
  patch -s -p1 -d work/4b <step04_syscalls/exercises/4b/solutions/solution.patch
  echo 'info breakpoints' >"$scratch/commands"
  ./learn debug 4b <"$scratch/commands" >"$scratch/out" 2>"$scratch/err" || complain "debug 4b"
  what="debug 4b"
  prints "program.cpp:$(grep -n 'state_ = State::forked;' work/4b/program.cpp | sed 's/:.*//')"
else
  skip "./learn debug, because gdb is not installed, or not allowed to trace"
fi

# Watching: a file is saved, then keys, then Ctrl-Z. The terminal of the shell is as before.
if command -v script >/dev/null; then
  expect 0 env LC_ALL= LC_MESSAGES= LANG=zh_CN.UTF-8 PAGER= TERM=xterm timeout 10 script -qefc "./learn help hint" "$scratch/typescript"
  prints "用法：./learn hint"
  expect 0 env TERM=dumb script -qefc "./learn diff 3 4" "$scratch/typescript" # a terminal, so it is wrapped
  tr -d '\r' <"$scratch/typescript" | grep -v '^Script ' >"$scratch/out"
  is_narrow
  learn 0 "exercise 1a"
  refuses "watch" "needs a terminal"
  # sees TEXT: waits until the terminal shows it.
  sees() {
    for _ in $(seq 150); do
      ! grep -qF -e "$1" "$scratch/typescript" 2>/dev/null || return 0
      sleep 0.2
    done
    echo "$1" >>"$scratch/unseen"
  }
  {
    echo 'stty -g >build/before; ./learn watch'
    sees "next: ./learn hint 1a"
    sleep 1
    cp step01_generators/exercises/1a/program.cpp work/1a
    sees "5 lines, identical"
    printf h
    sees "Hint 1 of 3"
    printf n
    sees "m1: A function with a bookmark"
    printf l
    sees "Chat 3 of 3"
    printf '\032'
    sees "Stopped"
    echo 'stty -g >build/during; fg'
    sleep 2
    printf h
    sees "must survive a yield is a member"
    printf q
    sleep 2
    # shellcheck disable=SC2016 # the words are those of the inner shell
    echo 'echo "status $?"; stty -g >build/after; exit'
    sees "status 0"
  } | script -qfec "sh -i" "$scratch/typescript" >/dev/null
  [ ! -e "$scratch/unseen" ] || complain "watch: no $(cat "$scratch/unseen")"
  grep -q "watching work/mine" "$scratch/typescript" || complain "watch: the next stage is not watched"
  cmp -s build/before build/during || complain "watch: Ctrl-Z leaves another terminal"
  cmp -s build/before build/after || complain "watch: the terminal has changed"
else
  skip "./learn watch and predict on a terminal, because script is not installed"
fi
rm -rf work

# A folder's name with blanks, and with a letter that is not ASCII.
. tools/learn/setup.sh
# shellcheck disable=SC2086 # a word for each need
if has_gdb && [ -z "$(missing_packages $play_needs)" ]; then
  mv "$scratch/project" "$scratch/a b ü" && cd "$scratch/a b ü" || exit 2
  learn 0 "play 1 naturals" "Open file://" "/a%20b%20%C3%BC/build/step01_naturals.html"
  learn 0 "exercise 3a"
  learn 1 "check 3a" "Yours runs nothing. Ours runs task 1 first." '>    1 | task 1  '
  rm -rf work
  mv "$scratch/a b ü" "$scratch/project" && cd "$scratch/project" || exit 2
else
  skip "a program is played in a folder whose name has blanks, because packages or gdb are not installed"
fi

# Predictions. Each chapter has three to six of them, a second page may have two, and each has an answer.
grep '^step' tools/pages >"$scratch/pages"
while read -r page; do
  rm -rf "$scratch/asked" && mkdir "$scratch/asked"
  awk -v folder="$scratch/asked" -f tools/learn/predict.awk "$page"
  asked=$(find "$scratch/asked" -name 'question.*' | wc -l)
  case $page:$asked in */README.md:[3-6] | *[!E].md:[2-6]) ;; *) complain "$page: $asked predictions" ;; esac
  [ "$asked" -eq "$(grep -c '^[#*]* *Predict' "$page")" ] || complain "$page: a prediction is not asked"
  [ "$asked" -eq "$(grep -l '[?]' "$scratch"/asked/question.* | wc -l)" ] || complain "$page: a prediction asks nothing"
  [ "$asked" -eq "$(find "$scratch/asked" -name 'answer.*' | wc -l)" ] || complain "$page: a question has no answer"
  [ "$(find "$scratch/asked" -name 'judge.*' | wc -l)" -eq "$(grep -A 1 '^<!-- judge: .* -->$' "$page" | grep -c '^</details>')" ] ||
    complain "$page: a <!-- judge: --> is not before the end of an answer"
  for file in "$scratch"/asked/judge.*; do
    [ ! -f "$file" ] || sed 's/ | /\n/g' "$file" | grep -qiF -f - "$scratch/asked/answer.${file##*.}" ||
      complain "$page: the judge accepts '$(cat "$file")', which is not in the answer"
  done
  expect 0 cat "$scratch"/asked/answer.* "$scratch"/asked/question.*
  is_narrow
done <"$scratch/pages"

cat >step03_scheduler/README.md <<'TEXT'
# Step 3: A scheduler

**A word** in bold.

## Two tasks and `run()`

**Predict.**
How many *turns* has [this](x.md)?

```sh
sed -i 's/one two three four five six seven eight nine ten/1 2 3 4 5 6 7 8/' build/a
./learn run 3 two_tasks    # this comment is so long that it has to be written before the command
./learn run 5 client 8000
```

<details><summary>Answer</summary>

There are **17** of them.

<!-- judge: 17 | seventeen -->
</details>

Between two questions.

**Predict.**
Which line is the first one, if two tasks take turns, and the sentence that asks for it has more than 80 columns?

<details><summary>Answer</summary>

<!-- output two_tasks 1 -->
```text
This is task 1 iteration 1.
```
<!-- end -->

</details>

## The end

It has **no** question.
TEXT
cat >step03_scheduler/second.md <<'TEXT'
# A second page

**Predict.**
What is printed?

<details><summary>Answer</summary>

A line.

<!-- judge: This is  it! | --- -->
</details>
TEXT
printf 'step03_scheduler/%s.md\n' README second >tools/pages
mkdir -p work/predictions && echo "# An old question" >work/predictions/step03_scheduler.txt
predicts() { # predicts LINES WORDS [TEXT...]: ./learn predict WORDS prints the texts, with these lines of input
  printf '%s' "$1" >"$scratch/answers"
  # shellcheck disable=SC2016 # the words are those of the inner shell
  expect 0 sh -c './learn predict $1 <"$0"' "$scratch/answers" "$2"
  shift 2
  prints "$@"
  is_narrow
}
predicts 'I am sure:
it is 17.

This is task 1 iteration 1.
This is task 2 iteration 2.

maybe
y
"this is it"

' 3
cat >"$scratch/wanted" <<'TEXT'
--- Question 1 of 3
step03_scheduler/README.md, Two tasks and run()
The program: two_tasks

How many *turns* has this?

    sed -i \
        's/one two three four five six seven eight nine ten/1 2 3 4 5 6 7 8/' \
        build/a
    # this comment is so long that it has to be written before the command
    ./learn run 3 two_tasks
    ./learn run 5 client 8000


Right.
--- The answer of the chapter

There are 17 of them.

--- Question 2 of 3
step03_scheduler/README.md, Two tasks and run()

The page says before it:
Between two questions.

Which line is the first one, if two tasks take turns, and the sentence that asks
for it has more than 80 columns?


--- Your answer (= before a line that the program prints, in this order)

  = This is task 1 iteration 1.
    This is task 2 iteration 2.
--- The answer of the chapter

    This is task 1 iteration 1.

Were you right? (y/n) 
Were you right? (y/n) 

--- Question 3 of 3
step03_scheduler/second.md, A second page

What is printed?


Right.
--- The answer of the chapter

A line.

3 of 3 right.
Your answers are in work/predictions/step03_scheduler.txt
TEXT
diff "$scratch/wanted" "$scratch/out" >"$scratch/err" || complain "other questions"
for text in 'An old question' '# How many' 'it is 17' 'this is it'; do
  grep -qF "$text" work/predictions/step03_scheduler.txt || complain "'$text' is not kept"
done
predicts '' review "no question that you have missed"

# What is missed is asked again, until it is right. 170 is no 17, and no answer is no right answer.
predicts '170

x

n

' 3 "Not right." "0 of 3 right; again with: ./learn predict review"
[ "$(wc -l <work/predictions/missed)" -eq 3 ] || complain "what was missed is not written down"
predicts 'seventeen

' "review 3" "Question 1 of 3" "1 of 1 right."
predicts 'x

y
---

' review "Which line is the first one" "2 of 2 right."
prints_no 'How many' # it was right
predicts '' "review 3" "no question that you have missed"
for text in 'not 17' '15 or 17' '17, because Ann has one more'; do # who answers this must judge it
  predicts "$text

" 3 "Were you right?"
done
# In a Chinese locale, from the Chinese pages, and judged without punctuation.
rm -f step03_scheduler/README.zh.md
cat >step03_scheduler/second.zh.md <<'TEXT'
# 第二页
<!-- en 12345678 A second page -->

**猜一猜。**
打印出来的是哪一行？这一句没有空格，比八十列还要长得多，所以断在哪里由终端来决定，而不由我们来决定，也不断在 a b 这样的空格上。

<details><summary>答案</summary>

第一行。

<!-- judge: This is  it! | 第 1 行 -->
</details>
TEXT
chinese() { # chinese ANSWER: an answer to this page, after the question of the English one
  printf '17\n\n\n%s\n\n是\n' "$1" >"$scratch/answers"
  # shellcheck disable=SC2016 # the words are those of the inner shell
  expect 0 env LC_ALL="${2-}" LC_MESSAGES= LANG=zh_CN.UTF-8 sh -c './learn predict 3 <"$1"' sh "$scratch/answers"
}
for text in '“第1行”。' 'this is it' '一' '停在 1。'; do
  chinese "$text"
  prints "step03_scheduler/second.zh.md, 第二页" \
    "打印出来的是哪一行？这一句没有空格，比八十列还要长得多，所以断在哪里由终端来决定，而不由我们来决定，也不断在 a b 这样的空格上。"
  grep -A 3 '打印' "$scratch/out" | grep -qx '答对了。' || complain "'$text' is not right"
done
prints "--- 问题 1（共 3 题）" "书里在这之前说：" "答对 2 题，共 3 题；重做答错的：./learn predict review"
chinese '不是 1'
prints "你答对了吗？" "答对 2 题，共 3 题" # the answer 是 to it
sed 's/judge: .*/judge: 23 -->/' step03_scheduler/second.zh.md >changed && mv changed step03_scheduler/second.zh.md
for pair in '二十三个 答对了。' '23次 答对了。' '两个 不对。' '十三 不对。' '二十 不对。' '从二到二十三 你答对了吗？' '一样多 你答对了吗？'; do
  chinese "${pair% *}"
  grep -A 9 '打印' "$scratch/out" | grep -q "^${pair#* }" || complain "${pair% *}: not ${pair#* }"
done
chinese 'this is it' C
prints "step03_scheduler/second.md, A second page"

rm -f work/predictions/missed
predicts '' 3
prints_no 'The answer' 'Your answers'
if command -v script >/dev/null; then # on a terminal, Enter shows the answer, and then the next question
  printf '17\n\n\n\n' | timeout 20 script -qefc "./learn predict 3" "$scratch/typescript" >"$scratch/out"
  prints "(Enter: the answer)" "(Enter: the next question)"
fi
rm -rf work

# Two builds at once: the second one waits.
learn 0 "run 9 task_ids"
last=$(cat build/lock)
if command -v flock >/dev/null; then
  flock build/lock sleep 3 &
  sleep 0.5
  learn 0 "run 9 task_ids"
  complains "Another ./learn builds here, process $last; waiting"
  wait
else
  skip "two builds at the same time, because flock is not installed"
fi

# A test that was skipped says why.
cp step01_generators/CMakeLists.txt "$scratch/kept"
cat >>step01_generators/CMakeLists.txt <<'TEXT'
add_test(NAME sawing COMMAND sh -c "echo 'skipped: sawing, because there is no saw' && exit 77")
set_tests_properties(sawing PROPERTIES LABELS step01 SKIP_RETURN_CODE 77)
TEXT
learn 0 "test 1" "skipped: sawing, because there is no saw"
grep -q 'did not run:' build/tests.log || complain "test: the log does not contain what was skipped"
cp "$scratch/kept" step01_generators/CMakeLists.txt

# One character of a program's text is changed: the line is shown, as expected and as found.
sed 's/"This is task 2 iteration "/"This is task 3 iteration "/' step03_scheduler/two_tasks.cpp \
  >changed && mv changed step03_scheduler/two_tasks.cpp
learn 1 "check 3" "two_tasks        FAIL   first difference at line 2 of" \
  ">    2 | This is task 2 iteration 1.      | This is task 3 iteration 1."
is_narrow
prints "countdown        ok"

rm -r step0[5-9]* && sed '/step0[5-9]/d; /tests/d; /(coop /d' CMakeLists.txt >without && mv without CMakeLists.txt # to be quick
learn 1 "" "  step03_scheduler       FAIL" "  step04_syscalls        ok"
is_plain

# A program no longer compiles: the compiler's message, and exit status 2.
echo 'nonsense' >>step03_scheduler/two_tasks.cpp
learn 2 "check 3"
complains "nonsense" "step03_scheduler/two_tasks.cpp" "step03 could not be built"
learn 2 ""
complains "build/learn.log"

# The folder was moved, or CXX names another compiler: all is built again.
rm -r step0[23]* && sed '/step0[23]/d' CMakeLists.txt >without && mv without CMakeLists.txt
mv "$scratch/project" "$scratch/moved" && cd "$scratch/moved" || exit 2
learn 0 ""
# shellcheck disable=SC2016 # the words are those of the inner shell
printf '#!/bin/sh\nexec c++ "$@"\n' >"$scratch/other" && chmod +x "$scratch/other"
expect 0 env CXX="$scratch/other" ./learn
complains "CXX is another compiler"
complains_in_one_line
grep -q "$scratch/other" build/learn/CMakeCache.txt || complain "it was built with the same compiler"
PATH="$scratch/full:$PATH" CXX="$scratch/full/c++" learn 2 ""
complains "the disk is full"
finish
