// Exceptions into a task that waits for a socket.

#include <poll.h>

#include <exception>
#include <stdexcept>

#include "any_catch2.hpp"
#include "calls.hpp"
#include "catching.hpp"
#include "pair.hpp"
#include "process.hpp"
#include "script.hpp"
#include "wait.hpp"

namespace {

/// A system call that throws into another task.
SystemCall interrupt(TaskId id) {
  return [id](TaskId asker, Scheduler& scheduler) {
    const std::runtime_error error("interrupted");
    scheduler.schedule_exception(id, std::make_exception_ptr(error));
    scheduler.schedule(asker);
  };
}

/// A system call that begins to wait for a socket, and then fails.
SystemCall wait_and_fail(const Socket& socket) {
  return [fd = socket.fd()](TaskId asker, Scheduler& scheduler) {
    scheduler.wait_for(asker, fd, POLLIN, no_deadline);
    throw std::runtime_error("failed");
  };
}

/// A step that makes a socket readable.
Script::Step write_to(const Socket& socket) {
  return [socket](Value) {
    socket.write("x");
    return Nothing{};
  };
}

}  // namespace

TEST_CASE("an exception ends a wait for a socket, which later ends no other wait of the task",
          "[step07]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(catching(log, {say(log, "1 reads", wait_for_read(pair.here)),
                                    say(log, "1 waits for 2", wait_task(2)), say(log, "1 ends")}));
  scheduler.new_task(script({say(log, "2 interrupts", interrupt(1)), write_to(pair.there), pass(),
                             pass(), say(log, "2 ends")}));
  scheduler.run();
  REQUIRE(log == Log{"1 reads", "2 interrupts", "caught interrupted", "1 waits for 2", "2 ends",
                     "1 ends"});
}

TEST_CASE("a system call that throws ends the wait that it has begun", "[step07]") {
  Log log;
  const Pair pair = connected_pair();
  pair.there.write("x");
  Scheduler scheduler;
  scheduler.new_task(catching(log, {say(log, "1 reads", wait_and_fail(pair.here)),
                                    say(log, "1 waits for 2", wait_task(2)), say(log, "1 ends")}));
  scheduler.new_task(script({pass(), pass(), pass(), say(log, "2 ends")}));
  scheduler.run();
  REQUIRE(log == Log{"1 reads", "caught failed", "1 waits for 2", "2 ends", "1 ends"});
}
