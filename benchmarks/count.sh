#!/bin/sh
# count.sh calls|instructions|allocations NUMBER NAME [./client KIND] PROGRAM...
#
# Counts what one of NAME costs the program, for example a request: system calls, or instructions outside of the
# kernel, or how often it asks the heap for memory. This is the difference between NUMBER of them and twice as
# many, so that the start and the end of the program don't count. The variable COUNT tells how many there are.
set -e
what=$1 number=$2 name=$3 client=
shift 3
[ "$1" != ./client ] || {
  client="$1 $2"
  shift 2
}
case $1 in ./*) [ -e "$1" ] || exit 127 ;; esac # it was not built
case $what in
calls) tool='strace -I2 -cfqo count.log' ;;
instructions) tool='valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file=count.log' ;;
allocations) tool='valgrind --leak-check=no --log-file=count.log' ;;
esac
command -v "${tool%% *}" >/dev/null || exit 127
# Valgrind counts each byte that memset() or memcpy() writes with "rep" as an instruction, so they must not use it.
export GLIBC_TUNABLES=glibc.cpu.x86_rep_stosb_threshold=1000000:glibc.cpu.x86_rep_movsb_threshold=1000000
for COUNT in "$number" "$((2 * number))"; do
  export COUNT
  # shellcheck disable=SC2086 # the client and the tool are in words
  $client $tool "$@" >count.out
  awk '{ gsub(",", "") } $NF == "total" { print $4 } /Collected/ { print $NF } /total heap usage/ { print $5 }' count.log
done | jq -cs "{benchmarks: [{name: \"$name\", $what: ((.[1] - .[0]) / $number)}]}"
