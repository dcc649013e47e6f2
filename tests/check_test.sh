#!/bin/sh
# tools/learn/check reports each way in which an output can differ.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
step='a\b/step' # awk takes no path for a text with escapes
mkdir -p "$scratch/$step/expected" "$scratch/build"

# compare STATUS EXPECTED PROGRAM [TEXT...]: the expected output is for printf, the program is a shell script, and the check
# prints each TEXT.
compare() {
  # shellcheck disable=SC2059 # the texts are formats
  printf "$2" >"$scratch/$step/expected/p.txt"
  printf '#!/bin/sh\n%s\n' "$3" >"$scratch/build/p"
  chmod +x "$scratch/build/p"
  expect "$1" "$root/tools/learn/check" "$scratch/$step" "$scratch/build" p
  shift 3
  prints "$@"
}

compare 0 'a\nb\n' 'printf "a\nb\n"' "ok     2 lines, identical"
compare 0 'a\n' 'echo a' "ok     1 line, identical"
compare 0 '' 'true' "ok     0 lines, identical"

compare 1 'a\nb\nc\n' 'printf "a\nx\nc\n"' "first difference at line 2 of" "    step/expected/p.txt" \
  "         1 | a                                | a" "    >    2 | b                                | x" \
  "         3 | c                                | c"

compare 1 'a\nb\n' 'printf "a\n"' "    >    2 | b                                | (the output has ended)"
compare 1 'a\n' 'printf "a\nb\n"' "FAIL   more lines follow the last line of" \
  "    >    2 | (the output has ended)           | b"
compare 1 'a\n' 'true' "    >    1 | a                                | (the output has ended)"
# The columns stay where they are in Chinese.
export LANG=zh_CN.UTF-8
LC_ALL='' LC_MESSAGES='' compare 1 'a\n' 'printf "a\nb\n"' "  p                失败   最后一行后面还多出几行：" \
  "      行号 | 预期                             | 实际" "    >    2 | （输出到此为止）                 | b"
LC_ALL='' LC_MESSAGES='' compare 0 'a\n' 'echo a' "  p                通过   1 行，一字不差"
LC_ALL=C compare 0 'a\n' 'echo a' "ok     1 line, identical"
unset LANG

compare 1 'a\n' 'printf a' "only the line end after the last line"
compare 1 'a\n' 'printf "a\r\n"' "| a\\r"
compare 1 'a b\n' 'printf "a\tb\n"' "| a\\tb"
compare 1 'a\n' 'echo "a "' "    >    1 | a                                | \"a \""
compare 1 ' a\n' 'echo a' "    >    1 | \" a\"                             | a"
compare 1 '1\n' 'printf "1.0\n"' "    >    1 | 1                                | 1.0"
long=1234567890123456789012345678901234567890
compare 1 "${long}a${long}\n" "echo ${long}b${long}" "1234567890a1234" "1234567890b1234"
is_narrow

compare 1 'a\n' 'echo a; exit 3' "it ended with exit status 3"
compare 1 'a\n' 'echo a; exit 255' "it ended with exit status 255"
compare 1 'a\n' 'echo a; kill -SEGV $$' "it was stopped by signal SEGV"
complains_nothing

# An endless loop is stopped when its output is twice as long as expected.
compare 1 'a\n' 'yes' "its output is far too long" "    >    1 | a "
complains_nothing
CHECK_SECONDS=1 compare 1 'a\n' 'while :; do :; done' "it did not end within 1 seconds"
awk 'BEGIN { for (i = 0; i < 20000; i++) print "line", i }' >"$scratch/long"
compare 1 "$(head -c 100000 "$scratch/long")" "head -c 190000 $scratch/long" \
  "    > 10102 | (the output has ended)"
compare 1 "$(head -c 100000 "$scratch/long")" "cat $scratch/long" "its output is far too long"

CHECK_SECONDS=1 compare 1 'a\n' 'echo a; sleep 5' "it did not end within 1 seconds" \
  "    (an endless loop, or a wait that never ends?)"

# A .run script decides what counts, in an empty folder.
# shellcheck disable=SC2016 # $1 is the script's
echo '"$1" >file && ls && cat file' >"$scratch/$step/expected/p.run"
compare 0 'file\nhello\n' 'echo hello'
rm "$scratch/$step/expected/p.run"

rm "$scratch/build/p"
expect 2 "$root/tools/learn/check" "$scratch/$step" "$scratch/build" p
prints "there is no"
expect 2 "$root/tools/learn/check" "$scratch/$step" "$scratch/build"
complains "usage"
finish
