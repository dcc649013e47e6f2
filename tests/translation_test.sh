#!/bin/sh
# tools/keep/translation finds each kind of fault in a Chinese page, and an old section is only a notice.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
[ -x /usr/bin/python3 ] || skip_all "tools/keep/translation, because /usr/bin/python3 is missing"
expect 0 "$root/tools/keep/translation"

# A project with one page.
mkdir -p "$scratch/project/tools/keep" "$scratch/project/tools/learn" "$scratch/project/docs" && cd "$scratch/project" || exit 2
cp "$root/tools/keep/translation" tools/keep && cp "$root/tools/zh_never.tsv" tools
cat >learn <<'TEXT'
say 'two tables: %s of %s' "$n" "$m"
die "there's no chair"
print say("cold")
TEXT
printf 'two tables: %%s of %%s\t两张桌子：%%s / %%s\n%s\t没有椅子\ncold\t凉\n' "there's no chair" >tools/zh_messages.tsv
printf 'Texts.\n== learn\n== list\n' | tee tools/learn/help.txt >tools/learn/help.zh.txt
check() { expect "$1" tools/keep/translation; }
check 0
prints "0 Chinese pages, 0 sections are old, 0 faults"
cat >page.md <<'TEXT'
# Two waiters

English | [中文](page.zh.md)

They [serve](https://a.org/en/b) 12 guests, and `run()` [waits](docs/wait.md). ![Two](two.svg)

## The kitchen

```cpp
cook(2);  // two
```

<!-- code page.cpp: int main -->
[page.cpp](page.cpp#L7)

```cpp
int main() {}  // 15
```
<!-- end -->

**Predict.**
How many of the 20 guests eat?

<details><summary>Answer</summary>

All of them, see [above](#the-kitchen).

<!-- judge: 20 | all -->
</details>

### The stove

It's hot.
TEXT
cat >page.zh.md <<'TEXT'
# 两个服务员
<!-- en new Two waiters -->

[English](page.md) | 中文

他们[招待](https://a.org/zh/b) 12 位客人，`run()` 会[等](docs/wait.md)。![两位](two.svg)

## 厨房
<!-- en new The kitchen -->

```cpp
cook(2);  // 两份
```

<!-- code page.cpp: int main -->
[page.cpp](page.cpp#L7)

```cpp
int main() {}  // 15
```
<!-- end -->

**猜一猜。**
二十位客人里，有几位在吃？

<details><summary>答案</summary>

全都在吃，见[上文](#the-kitchen)，这叫**就绪**（readiness）。

<!-- judge: 20 | all | 全部 -->
</details>

### 炉子
<!-- en new The stove -->

很烫。
TEXT
printf '# Glossary\n\nEnglish | [中文](glossary.zh.md)\n\n**Readiness**: it can be read.\n' >docs/glossary.md
printf '# 术语表\n<!-- en new Glossary -->\n\n[English](glossary.md) | 中文\n\n**就绪**（ready, readiness）：读得出来。\n' >docs/glossary.zh.md
git init -q . && git add . && git -c user.name=a -c user.email=a@b commit -q -m a || exit 2

# Only a stamped page is finished, and a stamp is for one section.
check 1
prints "page.zh.md:8: error: this is not stamped; see tools/keep/translation --stamp 'The kitchen' page.zh.md"
prints "2 Chinese pages, 0 sections are old, 4 faults"
for heading in 'Two waiters' 'The kitchen' 'The stove'; do expect 0 tools/keep/translation --stamp "$heading" page.zh.md; done
expect 0 tools/keep/translation --stamp Glossary docs/glossary.zh.md
expect 1 tools/keep/translation --stamp 'No section' page.zh.md
expect 2 tools/keep/translation --stamp
check 0
prints "2 Chinese pages, 0 sections are old, 0 faults"
cp -R . "$scratch/good"
sed -i 's/很烫。/**第 7 行。**/' page.zh.md # bold that is a whole line closes
check 0
cp "$scratch/good/page.zh.md" .

# What tools/keep/chapters makes doesn't make a section old, though another such block follows.
for page in page.md page.zh.md; do printf '\n<!-- report -->\n7\n<!-- end -->\n' >>$page; done
expect 0 tools/keep/translation --stamp 'The stove' page.zh.md
sed -i 's/#L7/#L9/; s/^7$/9/' page.md page.zh.md
check 0
prints "2 Chinese pages, 0 sections are old, 0 faults"
cp "$scratch/good/page.md" "$scratch/good/page.zh.md" .

# faulty FILE SED MESSAGE: after this change of a file, the check reports a fault.
faulty() {
  cp "$scratch/good/$1" "$1"
  sed -i "$2" "$1"
  ! cmp -s "$1" "$scratch/good/$1" || complain "'$2' changes nothing"
  check 1
  prints "$3"
  cp "$scratch/good/$1" "$1"
}
faulty page.zh.md '/The stove/d' 'page.zh.md:33: error: there is no stamp below this heading'
faulty page.zh.md "/^### /,\$d" 'error: the section is missing, or at another place: ### The stove'
faulty page.zh.md 's/^### /## /' 'error: the section is missing, or at another place: ### The stove'
faulty page.zh.md 's/en .* The kitchen/en new The oven/' "error: the section is at another place in English, or in none: ## The oven"
faulty page.zh.md 's/cook(2)/cook(3)/' 'page.zh.md:8: error: the line of code is missing: cook(2);'
faulty page.zh.md 's/run()/walk()/' 'page.zh.md:1: error: the code is missing: run()'
faulty page.zh.md 's/wait.md/weight.md/' 'error: the link is not in the English: docs/weight.md'
faulty page.zh.md 's/ 12 / 13 /' 'error: the number is missing: 12'
faulty page.zh.md 's/二十/二十一/' 'error: the number is missing: 20'
faulty page.zh.md 's/: int main/: int/' 'error: the mark is missing: <!-- code page.cpp: int main -->'
faulty page.zh.md 's/^..猜一猜.*/猜一猜。/' 'error: the first line of a prediction is missing: **猜一猜。**'
faulty page.zh.md '/^<details/d' 'error: the tag is missing: <details>'
faulty page.zh.md 's/ 20 |//' 'error: the accepted answer is missing: 20'
faulty page.zh.md '/^\[English/d' 'page.zh.md has no line below its title: [English](page.md) | 中文'
faulty page.md '/^English/d' 'page.md has no line below its title: English | [中文](page.zh.md)'
faulty page.zh.md 's/ 12 位/ 12位/' 'error: no space: 他们招待 12位客人，x 会'
faulty page.zh.md 's/很烫。/很烫,真的。/' 'error: half-width punctuation: 很烫,真的。'
faulty page.zh.md 's/很烫。/很 烫。/' 'error: a space between Chinese characters: 很 烫。'
faulty page.zh.md 's/很烫。/很烫 。/' 'error: a space at full-width punctuation: 很烫 。'
faulty page.zh.md 's/很烫。/**很烫。**真的。/' 'error: bold does not close: **很烫。**真'
faulty page.zh.md 's/很烫。/很**“烫”**。/' 'error: bold does not close: 很**“烫”**。'
faulty page.zh.md 's/就绪/准备好/' 'error: the glossary calls readiness 就绪, not '
faulty page.zh.md 's/很烫。/不停地轮询。/' 'error: 轮询 is never used: poll；轮转'
faulty tools/zh_messages.tsv '/^cold/d' 'tools/zh_messages.tsv:1: error: a command says what is not here: cold'
faulty learn '/^die/d' "tools/zh_messages.tsv:2: error: no command says this: there's no chair"
faulty tools/zh_messages.tsv 's| / %s||' 'tools/zh_messages.tsv:1: error: other places than in English: 两张桌子：%s'
faulty tools/zh_messages.tsv 's/凉/轮询/' 'tools/zh_messages.tsv:3: error: 轮询 is never used: poll；轮转'
faulty tools/zh_messages.tsv 's/：/:/' 'error: half-width punctuation: 两张桌子:'
faulty tools/learn/help.zh.txt '/list/d' 'tools/learn/help.zh.txt:1: error: the section is missing, or at another place: == list'
faulty docs/glossary.zh.md 's/^\*\*.*/空。/' 'docs/glossary.zh.md:1: error: the entry is missing: readiness'

# What has changed in English makes a section old, but no fault.
old() { # old SED LINE...: after this change of the English page, these are the old sections
  cp "$scratch/good/page.md" page.md
  sed -i "$1" page.md
  shift
  expect 0 tools/keep/translation --diff
  for line; do prints "$line"; done
}
old 's/20 guests/21 guests/' 'page.zh.md:8: old: The kitchen' '    -How many of the 20 guests eat?' '    +How many of the 21 guests eat?' '1 sections are old, 0 faults'
expect 1 tools/keep/translation --strict
old 's/cook(2)/cook(3)/' '1 sections are old, 0 faults'
old 's/hot[.]/&\n\n## More\n\nText./' 'page.zh.md:1: old: Two waiters' '1 sections are old, 0 faults'
old 's/The kitchen$/The oven/' 'page.zh.md:8: old: The kitchen' '2 sections are old, 0 faults'
old 's/#L7/#L8/; s/15/16/' '0 sections are old, 0 faults' # tools/keep/chapters makes these
finish
