# A command for gdb: `source coop.gdb`, or `gdb -x coop.gdb program`. The program is built with -g,
# and not optimized. A frame begins with the address of the code that resumes it, 16 bytes before
# its Promise. g++ and clang have different names for the Promise in a body.

define coop-callers
  set $coop_frame = (coop::detail::Promise*) 0
  if $argc == 0
    frame apply all -s -q set $coop_frame = (coop::detail::Promise*) &frame_ptr->_Coro_promise
    frame apply all -s -q set $coop_frame = (coop::detail::Promise*) &__promise
  else
    set $coop_frame = ($arg0).innermost_
  end
  while $coop_frame
    info symbol *(void**) ((char*) $coop_frame - 16)
    set $coop_frame = $coop_frame->caller
  end
end

document coop-callers
Prints the coroutines that have called each other, the innermost first: those of the task that runs,
or of a task that waits, for example `coop-callers *find(3)` in the frame of coop::Scheduler::run().
end
