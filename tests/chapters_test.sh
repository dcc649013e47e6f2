#!/bin/sh
# tools/keep/chapters reports that a source, an output or a citation of a chapter has changed, and writes it anew.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
[ -x /usr/bin/python3 ] || skip_all "tools/keep/chapters, because /usr/bin/python3 is missing"
copy_project

expect 0 tools/keep/chapters --check
prints_nothing

# changes STATUS FILE SED MESSAGE: after this change of a file, the check reports it.
changes() {
  cp "$2" "$scratch/kept"
  sed "$3" "$scratch/kept" >"$2"
  expect "$1" tools/keep/chapters --check
  if [ "$1" -eq 1 ]; then prints "$4"; else complains "$4" && complains_in_one_line; fi
  cp "$scratch/kept" "$2"
}

changes 1 step03_scheduler/expected/two_tasks.txt '1s/1/7/' \
  "step03_scheduler/README.md: its generated parts are not up to date"
changes 1 step03_scheduler/two_tasks.cpp 's/i_ <= 5/i_ <= 6/' "for (i_ = 1; i_ <= 6; ++i_)"
changes 1 tools/steps 's/One microphone/A microphone/' "README.md: its generated parts"
changes 1 step03_scheduler/scheduler.hpp '1s/^/\n/' "+[scheduler.hpp](scheduler.hpp#L"

# A mark without a target or with two of them is an error.
for mark in 'code task.hpp: class Tsk' 'code two_tasks.cpp: class Task' 'code nosuch.hpp: class Task' 'output nosuch' \
  'output two_tasks 16' 'code nosuch.cpp' 'change step04_syscalls two_tasks.cpp: int main' \
  'change step03_scheduler task.hpp: struct Task'; do
  changes 2 step03_scheduler/README.md "\$s/\$/\\n<!-- $mark -->\\n<!-- end -->/" ''
done
changes 2 step03_scheduler/README.md "\$s/\$/\\n<!-- output two_tasks -->/" 'a generated part has no end'

# So is a test that a chapter cites, or a label that a comment cites, if it doesn't exist.
changes 2 step09_reactor/tests/spawn_test.cpp 's/"tasks take turns in the order/"tasks take turns in no order/' ''
changes 2 step09_reactor/coop/core/scheduler.hpp 's/TrueAsync: microtask,/TrueAsync: micro task,/' \
  'there is no row for "TrueAsync: micro task"'

# Only pages that are in the reading order lead to others, and all of them do.
changes 2 docs/faq.md "\$s/\$/\n<!-- way -->\n<!-- end -->/" 'docs/faq.md: tools/pages does not list this page'
while read -r page; do
  grep -qx '<!-- way -->' "$page" || complain "$page does not lead to another page"
done <tools/pages

# The callers of a coroutine are those that chapter 8 shows, if its commands are run with g++.
if ! has_gdb; then
  skip "the callers of a coroutine, because gdb is not installed, or not allowed to trace"
elif g++ --version 2>/dev/null | grep -q 'Free Software'; then
  page=step08_cpp20/README.md
  awk '/^```/ { block = "" } !/^```/ { block = block $0 "\n" } / -x .*callers/ { printf "%s", block }' $page >"$scratch/commands"
  expect 0 sh "$scratch/commands"
  sed -n '/^\$/ { s/ <\([a-z_]*\)(.*/ <\1(...)>/; s/0x[0-9a-f]*/0x/; p; }' "$scratch/out" >"$scratch/callers"
  sed -n '/^\$/ { s/0x[0-9a-f]*/0x/; p; }' $page | cmp -s - "$scratch/callers" || complain "$page shows other callers"
  [ -s "$scratch/callers" ] || complain "$page shows no callers"
fi

# What the marks become, in a <details>, too. In a Chinese page, comments, cells and titles are Chinese, and links lead to
# Chinese pages if there are any.
find . -name '*.zh.md' -exec rm {} +
printf 'b\tB乙\n4 System calls\t4 系统调用\nThe queue and the loop\t不用\nfill in\t填空\nNext\t下一页\nSee [{1}]({2})\t看[{1}]({2})\na\t甲\n' >tools/zh.tsv
printf '# m3：队列和循环\n<!-- en new m3: The queue and the loop -->\n' >your_scheduler/m03_queue_and_loop/README.zh.md
printf '# 错误\n' >step07_errors/README.zh.md
printf '// A file.\n\n  int two() {\n    a();\n    b();  // b\n    c();\n    d();\n    e();\n    return 2;\n  }\n' >step03_scheduler/cut.hpp
sed 's/return 2/return 1/' step03_scheduler/cut.hpp >step02_coroutines/cut.hpp
printf '1\n2 // b\n3\n' >step03_scheduler/expected/cut.txt
mark() { printf '<!-- %s -->\n<!-- end -->\n\n' "$@"; }
{
  printf '# Step 3: Two\n\n10 to teach\n\n[a](../step07_errors/README.md#x) [b](../docs/faq.zh.md) [c](https://x.y/z.md)\n\n<details><summary>Answer</summary>\n\n'
  mark 'code cut.hpp: int two(' 'code cut.hpp' 'output cut 2' 'change step02_coroutines cut.hpp: int two('
  printf '</details>\n\n'
  mark exercises 'plan 9:00 | 5 See [a](../step07_errors/README.md)' way
} | tee step03_scheduler/README.md >step03_scheduler/README.zh.md
cat >"$scratch/wanted" <<'TEXT'
# Step 3: Two

10 to teach

[a](../step07_errors/README.md#x) [b](../docs/faq.zh.md) [c](https://x.y/z.md)

<details><summary>Answer</summary>

<!-- code cut.hpp: int two( -->
[cut.hpp](cut.hpp#L3)

```cpp
int two() {
  a();
  b();  // b
  c();
  d();
  e();
  return 2;
}
```
<!-- end -->

<!-- code cut.hpp -->
[cut.hpp](cut.hpp)

```cpp
// A file.

  int two() {
    a();
    b();  // b
    c();
    d();
    e();
    return 2;
  }
```
<!-- end -->

<!-- output cut 2 -->
```text
2 // b
```
<!-- end -->

<!-- change step02_coroutines cut.hpp: int two( -->
[cut.hpp](cut.hpp#L3)

```diff
 int two() {
...
   c();
   d();
   e();
-  return 1;
+  return 2;
 }
```
<!-- end -->

</details>

<!-- exercises -->
The stages, from m1 on, are your own program: `./learn next` begins the next one.
The others are optional: begin with `./learn exercise 3a`.

| | | | minutes |
|---|---|---|---:|
| **m3** | The queue and the loop | your own | 25 |
| **3a** | The loop of the scheduler | fill in | 10 |
<!-- end -->

<!-- plan 9:00 | 5 See [a](../step07_errors/README.md) -->
| at | minutes | |
|---:|---:|---|
| 9:00 | 5 | See [a](../step07_errors/README.md) |
<!-- end -->

<!-- way -->
Previous: [2 Coroutines](../step02_coroutines/README.md) | Next: [4 System calls](../step04_syscalls/README.md) | [Notes](notes.md)
<!-- end -->

TEXT
sed -i '/^<!-- way/,$d' docs/foreword.md && mark way >>docs/foreword.md
expect 0 tools/keep/chapters
prints "step03_scheduler/README.zh.md: written"
diff "$scratch/wanted" step03_scheduler/README.md >"$scratch/out" || complain "the marks have become something else"
sed 's/  b();  \/\/ b/  b();  \/\/ B乙/; s/README.md#x/README.zh.md#x/; s/faq.zh.md/faq.md/; s/The queue and the loop/队列和循环/; s/fill in/填空/
  /^| 9/s/See.*md/看[甲](..\/step07_errors\/README.zh.md/; s/Next: \[4 System calls/下一页：[4 系统调用/' "$scratch/wanted" |
  diff - step03_scheduler/README.zh.md >"$scratch/out" || complain "a Chinese page has become something else"
grep -qxF 'Previous: [Cooperative multitasking, from the ground up](../README.md) | Next: [1 Generators](../step01_generators/README.md)' \
  docs/foreword.md || complain "the foreword leads to other pages"
find . -name '*.zh.md' -exec rm {} +

expect 2 tools/keep/chapters --chek

# It writes the chapter that has changed, and no other.
cp -R "$root"/step01_generators/README.md "$scratch/kept"
sed 's/start_(start)/broken(start)/' "$scratch/kept" >step01_generators/README.md
expect 0 tools/keep/chapters
prints "step01_generators/README.md: written"
cmp -s step01_generators/README.md "$scratch/kept" || complain "the chapter was not repaired"
finish
