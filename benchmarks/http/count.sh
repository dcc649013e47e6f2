#!/bin/sh
# count.sh calls SERVER... | count.sh instructions SERVER...
#
# Counts what one request costs the server: system calls, or instructions outside of the kernel. This is the
# difference between 1000 and 2000 requests, so that the start and the end of the server don't count.
set -e
[ "$BENCH_ROUND" = 1 ] || {
  echo '{"benchmarks":[]}' # they would be the same again
  exit
}
what=$1
shift
case $1 in ./*) [ -e "$1" ] || exit 77 ;; esac # it was not built
# Valgrind counts each byte that memset() or memcpy() writes with "rep" as an instruction, so they must not use it.
export GLIBC_TUNABLES=glibc.cpu.x86_rep_stosb_threshold=1000000:glibc.cpu.x86_rep_movsb_threshold=1000000
count() { # count REQUESTS SERVER...
  requests=$1
  shift
  if [ "$what" = calls ]; then
    command -v strace >/dev/null || exit 77
    ./client "$requests" strace -I2 -cfqo count.log "$@"
    awk '$NF == "total" { print $4 }' count.log
  else
    command -v valgrind >/dev/null || exit 77
    ./client "$requests" valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file=count.log "$@"
    awk '/Collected/ { print $NF }' count.log
  fi
}
first=$(count 1000 "$@")
second=$(count 2000 "$@")
jq -n "{benchmarks: [{name: \"request\", $what: (($second - $first) / 1000)}]}"
