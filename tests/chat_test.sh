#!/bin/sh
# chat_test.sh BUILD: the chat server of step 9 passes the judge of your_scheduler/chat, and no control character passes it
# or the server there. BUILD is a folder with all programs.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "$1" && pwd) || exit 2
. "$root/tests/expect.sh"
cd "$scratch" || exit 2
export ASAN_OPTIONS="quarantine_size_mb=1:thread_local_quarantine_size_kb=64:${ASAN_OPTIONS-}" # memory is measured

expect 0 "${CXX:-c++}" -std=c++17 -O1 -Wall -Wextra -Werror "$root/your_scheduler/chat/judge.cpp" -o judge
expect 0 "${CXX:-c++}" -std=c++17 -O1 -I "$root/step07_errors" "$root/your_scheduler/chat/chat.cpp" -o ours
[ $failures -eq 0 ] || finish
cp "$build/step09_reactor/chat" "$build/step09_reactor/echo_server" . # the judge writes files beside them
expect 0 ./judge "$scratch/chat"
for scenario in talk names rooms pieces leaves crowd idle slow end; do prints "  $scenario"; done
! grep 'not checked' "$scratch/out" || skip "what the judge can't check here"

# An ESC in a name doesn't reach the terminals of the others.
for server in chat ours; do
  "./$server" 0 >$server.port &
  until port=$(sed -n 's/.* \([0-9]*\)\.\.\.$/\1/p' $server.port 2>/dev/null) && [ -n "$port" ]; do sleep 0.01; done
  expect 0 sh -c "printf 'a\033nn\n/quit\n' | '$build/step09_reactor/client' $port # $server"
  prints '* welcome, ann'
  kill $!
done

# A server that isn't a chat is refused, in a few lines.
expect 1 ./judge "$scratch/echo_server" end
prints 'ann expects "* welcome, ann", but got "GOT:ann"'
[ "$(wc -l <"$scratch/out")" -lt 10 ] || complain "the message is too long"
expect 1 ./judge "$scratch/missing" talk
prints 'it has said: '
expect 2 ./judge
complains usage
finish
