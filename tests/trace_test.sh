#!/bin/sh
# tools/trace/trace and ./learn trace: turns are counted as the chapters count them, and a drawing fits into 80
# columns.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/expect.sh"
. "$root/tools/learn/setup.sh"
copy_project

# The turns of the original programs: the id of the task that has each turn, in order.
turns() { # turns STEP PROGRAM IDS
  expect 0 tools/trace/trace "$1" "$2"
  found=$(sed -n 's/^who task //p' "$scratch/out" | xargs)
  [ "$found" = "$3" ] || complain "$1/$2: turns $found"
}
for step in step03_scheduler step08_cpp20; do
  turns $step two_tasks '1 2 1 2 1 2 1 2 1 2 1 2 1 1 1 1 1'
done
turns step09_reactor two_tasks '1 2 3 2 3 2 3 2 3 2 3 2 3 2 2 2 2 2' # task 1 spawns the others
turns step04_syscalls task_ids '1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 1 1 1 1'
turns step04_syscalls parent_child '1 1 2 1 2 1 2 1 2 1 1 1 1 1'
turns step06_stacked return_value '1 2 1 2 1 2 1 2'
turns step07_errors kill_missing_task '1 1'

expect 0 ./learn trace 3
prints "   2  │ ●  This is task 2 iteration 1.                         39  yields  1 2"
is_plain
turns step04_syscalls carl '1 2 1 2 3 1 2 1 2'
expect 0 ./learn trace 4 ann_and_bob
prints "Task 1 waits for task 2."
prints "asks wait_task(bob) and"
expect 0 ./learn trace 1 interruptible
prints "   0  main         nothing has run yet"
expect 0 tools/trace/trace step09_reactor actors
prints "stop actors.cpp:34 calls to_counter.send(10000)"
! grep -q 'stop - calls' "$scratch/out" || complain "a call has no name"

# The same columns in Chinese.
chinese() { expect 0 env LC_ALL= LC_MESSAGES= LANG=zh_CN.UTF-8 ./learn trace "$@"; }
chinese 3
prints "回合  1 2  打印                                                行号  然后  队列" \
  "   2  │ ●  This is task 2 iteration 1.                           39  产出  1 2" "● 正在走回合   │ 就绪"
chinese 4 ann_and_bob
prints "   4  ● │  Task 1 waits for task 2.         54  请求 wait_task(bob)，等待  2"

for words in "trace" "trace 3 nosuch" "trace 5" "trace 2 logger" "trace 8 mini_scheduler" "trace 9 clean_up"; do
  # shellcheck disable=SC2086 # words, not one word
  expect 2 ./learn $words
  prints_nothing
  complains_in_one_line
done

# A drawing fits into 80 columns and has a row for each turn. A recording prints the expected output.
for pair in "step02_coroutines first_yield" "step04_syscalls ann_and_bob" "step09_reactor semaphore"; do
  step=${pair% *} program=${pair#* } recording=$scratch/recording
  expect 0 tools/trace/trace "$step" "$program"
  cp "$scratch/out" "$recording"
  sed -n 's/^out //p' "$recording" >"$scratch/printed"
  expect 0 cmp "$scratch/printed" "$step/expected/$program.txt"
  expect 0 env LC_ALL=C awk -v program="$program" -v colour=no -f tools/learn/say.awk -f tools/trace/trace_draw.awk "$recording"
  sed 's/●/o/g; s/│/|/g; s/·/./g; s/×/x/g' "$scratch/out" >"$scratch/drawing"
  ! grep -q '.\{81\}' "$scratch/drawing" || complain "$pair: wider than 80 columns"
  turns=$(grep -c '^turn' "$recording")
  [ "$(grep -c '^ *[0-9][0-9]*  ' "$scratch/drawing")" -eq "$turns" ] || complain "$pair: not $turns turns"
done
expect 0 tools/trace/trace --list
prints "step08_cpp20 xrange"

# The recording that the site has, too: made only if there is none of the same files.
recorded() { # recorded STEP PROGRAM
  expect 0 env CXX=g++ PYTHONPATH=tools/book /usr/bin/python3 -B -c 'import pathlib, sys, runs
root = pathlib.Path()
print(runs.record(root, pathlib.Path(sys.argv[1]) / "build/docs/runs", runs.described(root, *sys.argv[2:], True)), end="")' "$root" "$1" "$2"
  sed 's/"frame": "[0-9][0-9]* bytes"/"frame": "N bytes"/g' "$scratch/out" >"$scratch/plain" && mv "$scratch/plain" "$scratch/out" # as the compiler likes
}

# The player counts the turns in the same way, and plays the same servers in each build, also with sources of their own.
if ! has_gdb; then
  skip "the player, because gdb is not installed, or not allowed to trace"
elif [ -n "$(missing_site_packages)" ]; then
  skip "the player, because Python's libraries are not installed"
else
  for pair in "step01_generators interruptible" "step02_coroutines two_way" "step03_scheduler two_tasks" "step04_syscalls carl" \
    "step06_stacked echo_times" "step07_errors uncaught" "step08_cpp20 two_way" "step08_cpp20 parent_child" "step08_cpp20 unstacked"; do
    step=${pair% *} program=${pair#* }
    expect 0 tools/trace/trace "$step" "$program"
    awk '/^turn/ { n = $2 } /^who/ { print n, substr($0, 5) }' "$scratch/out" >"$scratch/who"
    recorded "$step" "$program"
    PYTHONPATH=tools/book /usr/bin/python3 -B -c 'import pathlib, sys, turns
made = turns.Turns(pathlib.Path(), *sys.argv[1:3], sys.stdin.read())
for n, (_, who) in enumerate(made.turn_list):
    if n or made.prints(made.turn_list, n): print(made.numbers_of_turns[n], who)' "$step" "$program" <"$scratch/out" >"$scratch/played"
    expect 0 diff "$scratch/who" "$scratch/played"
  done
  recorded step07_errors kill_missing_task
  prints '"errors": {"1": "invalid_argument: Invalid task ID!"}'
  prints '["Task::run", "task.hpp", 43, ' # which pops it from the stack
  # What a promise holds, a variable that begins with 0, and a line that a jump enters behind its first instruction.
  recorded step08_cpp20 two_way
  prints '"promise.sent": "\"ret1\""'
  recorded step08_cpp20 throw_into
  prints '"promise.error": "runtime_error: Test"'
  recorded step08_cpp20 countdown
  prints '"has": {"frame": "N bytes", "n": "15", "x": "0"}'
  recorded step04_syscalls parent_child
  [ "$(grep -c '"parent_child.cpp", 22, ' "$scratch/out")" = 5 ] || complain "a line is not recorded each time"
  prints '"turns": null'
  # Who waits for the end of a task, and the deadline of a socket of coroutines.
  recorded step04_syscalls ann_and_bob
  prints '"awaited by": "task 1"'
  recorded step07_errors web_server
  prints '"fd 6, until 10.3 s"' # whatever is open in who runs this
  prints '"limit": "'
  ! grep -q task.hpp "$scratch/out" || complain "a stack is recorded for a server"
  # The first value of a variable, and the answer to a system call, of a body that the compiler has made.
  recorded step08_cpp20 naturals
  prints '"has": {"frame": "N bytes", "promise.current": "nullopt", "i": "1"}'
  recorded step08_cpp20 parent_child
  prints '"answers": {"1": "1"}'
  # The lines of a system call, the end of a coroutine, and the mailboxes of actors.
  prints '["lambda", "process.hpp", 16, ""]'
  prints '["task", "parent_child.cpp", 25, '
  # The value that a coroutine returns, and the stack of a task, whose innermost coroutine has ended. Programs without calls have no such lines.
  ! grep -q task.hpp "$scratch/out" || complain "a stack is recorded for a program without calls"
  recorded step08_cpp20 return_value
  prints '["Task::run", "task.hpp", 56, '
  prints '"done": true'
  prints '"value": "11"'
  # The functions that the compiler calls while it creates a coroutine, and a queue of coroutine handles.
  recorded step08_cpp20 mini_scheduler
  prints '["Task::promise_type::get_return_object", "mini_scheduler.cpp", 16, ""]'
  prints '["Yield::await_suspend", "mini_scheduler.cpp", 10, ""]]'
  prints '"queue": [2, 1]'
  recorded step04_syscalls actors
  prints '["Mailbox::deliver", "mailbox.hpp", 18, '
  prints '"mail": {"counter": [["10000"], 0]}'
  # The scripted network waits until the deadline, and shows that time.
  printf '9 anna connects\n' >"$scratch/network"
  expect 0 g++ -std=c++17 -shared -fPIC tools/trace/scripted_network.cpp -o "$scratch/network.so" -ldl
  expect 0 env NETWORK="$scratch/network" /usr/bin/python3 -c 'import ctypes, sys
network = ctypes.CDLL(sys.argv[1])
network.poll(ctypes.byref(ctypes.c_int64(network.socket(0, 0, 0) | 1 << 32)), ctypes.c_ulong(1), 250)
print(ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(network, "net_state"))).decode())' "$scratch/network.so"
  prints "0.25"
  # After a reset, poll() returns immediately, whatever it was asked for; only the first call tells of the reset.
  printf '1 anna connects\n2 anna resets\n' >"$scratch/network"
  expect 0 env NETWORK="$scratch/network" /usr/bin/python3 -c 'import ctypes, errno, select, sys
network = ctypes.CDLL(sys.argv[1], use_errno=True)
def poll(fd, events):
    socket = (ctypes.c_int * 2)(fd, events)
    network.poll(socket, ctypes.c_ulong(1), 0)
    return socket[1] >> 16
listener = network.socket(0, 0, 0)
network.listen(listener, 1)
poll(listener, select.POLLIN)
anna = network.accept(listener, None, None)
print(*[poll(anna, events) - select.POLLERR - select.POLLHUP for events in (0, select.POLLIN, select.POLLOUT)])
for _ in range(2): print(network.write(anna, b"x", ctypes.c_size_t(1)), errno.errorcode[ctypes.get_errno()])
network.close(listener)
print(ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(network, "net_state"))).decode())' "$scratch/network.so"
  prints "0 1 4"
  prints "-1 ECONNRESET"
  prints "-1 EPIPE"
  prints "|closed|0|0"
  prints "|reset|0|0"
  expect 0 env CXX=g++ tools/trace/record_lines step05_nonblocking_io web_server
  cp "$scratch/out" "$scratch/first"
  mkdir "$scratch/copy" && cp step05_nonblocking_io/*.[ch]pp "$scratch/copy"
  expect 0 env CXX=g++ tools/trace/record_lines step05_nonblocking_io web_server "$scratch/copy"
  # but for the addresses
  for file in first out; do sed 's/0x[0-9a-f]*//g' "$scratch/$file" >"$scratch/$file.plain"; done
  expect 0 cmp "$scratch/first.plain" "$scratch/out.plain"
  # A body without an end, and without a line to stop at.
  cp step08_cpp20/*.[ch]pp "$scratch/copy"
  sed 's/co_yield i;/;/' step08_cpp20/naturals.cpp >"$scratch/copy/naturals.cpp"
  expect 0 env CXX=g++ tools/trace/record_lines step08_cpp20 naturals "$scratch/copy"
  prints '"kind": "goes on", "stack": [], "what": "in its last line"'
  # A crash ends a recording that is whole.
  sed 's/co_yield i;/__builtin_trap(); &/' step08_cpp20/naturals.cpp >"$scratch/copy/naturals.cpp"
  expect 0 env CXX=g++ tools/trace/record_lines step08_cpp20 naturals "$scratch/copy"
  prints '"kind": "crash", "stack": [], "what": "SIGILL"'
  # A queue out of which too much is taken seems to hold more than can be read.
  cp step04_syscalls/*.[ch]pp "$scratch/copy"
  sed 's/while (!ready_.empty()) run_next/for (;;) run_next/' step04_syscalls/scheduler.hpp >"$scratch/copy/scheduler.hpp"
  expect 0 timeout 100 env CXX=g++ tools/trace/record_lines step04_syscalls carl "$scratch/copy"
  prints '"error": "a container that is no longer valid"'
fi
# A server without clients would wait forever.
expect 2 timeout 20 tools/trace/record_lines step08_cpp20 web_server
complains "it waits for clients, and there is no tools/trace/runs/step08_web_server.network"
complains_in_one_line
mkdir "$scratch/bin"
for tool in sh dirname sed awk cat mkdir; do ln -s "$(command -v $tool)" "$scratch/bin/$tool"; done
expect 2 env PATH="$scratch/bin" tools/trace/record_lines step03_scheduler two_tasks
complains "gdb is not installed"

# The queue gets another name in the headers and in tools/names, and no other tool has it written in.
expect 0 tools/trace/trace step03_scheduler two_tasks
cp "$scratch/out" "$scratch/before"
sed -i 's/ready_/queue_/g' step0[3-8]*/*.hpp
sed -i 's/^ready_ .*/ready_ queue_/' tools/names
expect 0 tools/trace/trace step03_scheduler two_tasks
cmp "$scratch/before" "$scratch/out" || complain "another name of the queue changes the trace"
! has_gdb || {
  expect 0 env CXX=g++ tools/trace/record_lines step03_scheduler two_tasks
  prints '"queue": [2, 1]'
  expect 0 tools/trace/pictures "$scratch/pictures" # of the pages: they are those of the runs of today
  expect 0 diff -r docs/pictures "$scratch/pictures"
}
renamed() { # renamed NAME FACTS: our solution and its wrong versions
  sed -n 's/^wrong \([^ ]*\) .*/\1/p' "$2" | sort -u >"$scratch/versions"
  while read -r version; do
    rm -rf "$scratch/version"
    expect 0 tools/exercise/files ours "$1" "$scratch/version"
    expect 0 tools/exercise/files version "$version" "$1" "$scratch/version"
    ! grep -q ready_ "$scratch/version/scheduler.hpp" || complain "$1: $version has the old name"
  done <"$scratch/versions"
}
renamed 3a step03_scheduler/exercises/3a/facts
renamed m3 your_scheduler/m03_*/facts
[ -s "$scratch/versions" ] || complain "m3 has no wrong version"

# A scheduler that is written in another way: in step 3, every loop can be recorded.
sed 's/if (task.run())/if ((task.run()))/' step03_scheduler/scheduler.hpp >changed &&
  mv changed step03_scheduler/scheduler.hpp
turns step03_scheduler two_tasks '1 2 1 2 1 2 1 2 1 2 1 2 1 1 1 1 1'
sed 's/ run_next();/ this->run_next();/' step04_syscalls/scheduler.hpp >changed &&
  mv changed step04_syscalls/scheduler.hpp
expect 2 tools/trace/trace step04_syscalls task_ids
complains "cannot record step04_syscalls/scheduler.hpp"
complains_in_one_line
finish
