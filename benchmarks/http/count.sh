#!/bin/sh
# count.sh calls|instructions|allocations [keep] SERVER...
#
# Counts what one request costs the server: system calls, or instructions outside of the kernel, or how often
# it asks the heap for memory. This is the difference between 1000 and 2000 requests, so that the start and the
# end of the server don't count. With `keep`, the connections are kept.
set -e
[ "$BENCH_ROUND" = 1 ] || {
  echo '{"benchmarks":[]}' # they would be the same again
  exit
}
what=$1 kind=close name=request
shift
[ "$1" != keep ] || {
  kind=keep name=kept
  shift
}
case $1 in ./*) [ -e "$1" ] || exit 77 ;; esac # it was not built
case $what in
calls) tool='strace -I2 -cfqo count.log' ;;
instructions) tool='valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file=count.log' ;;
allocations) tool='valgrind --leak-check=no --log-file=count.log' ;;
esac
command -v "${tool%% *}" >/dev/null || exit 77
# Valgrind counts each byte that memset() or memcpy() writes with "rep" as an instruction, so they must not use it.
export GLIBC_TUNABLES=glibc.cpu.x86_rep_stosb_threshold=1000000:glibc.cpu.x86_rep_movsb_threshold=1000000
count() { # count REQUESTS SERVER...
  requests=$1
  shift
  # shellcheck disable=SC2086 # the tool is in words
  ./client "$kind/$requests" $tool "$@"
  awk '{ gsub(",", "") } $NF == "total" { print $4 } /Collected/ { print $NF } /total heap usage/ { print $5 }' count.log
}
first=$(count 1000 "$@")
second=$(count 2000 "$@")
jq -n "{benchmarks: [{name: \"$name\", $what: (($second - $first) / 1000)}]}"
