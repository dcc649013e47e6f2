// Exceptions into a task that waits for a socket.

#include <poll.h>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "pair.hpp"
#include "script.hpp"
#include "wait.hpp"

namespace {

/// A system call that begins to wait for a socket, and then fails.
SystemCall<> wait_and_fail(const Socket& socket) {
  return [fd = socket.fd()](TaskId asker, Scheduler& scheduler) {
    scheduler.wait_for(asker, fd, POLLIN, no_deadline);
    throw std::runtime_error("failed");
  };
}

/// Catches the exception that ends a system call. Then it waits for the end of task 2.
Coroutine<> catching(Log* log, SystemCall<> call) {
  try {
    log->push_back("1 reads");
    co_await call;
  } catch (const std::exception& error) {
    log->push_back(std::string("caught ") + error.what());
  }
  co_await wait(log, "1", 2);
}

/// Throws into task 1, makes its socket readable, and ends some turns.
Coroutine<> interrupting(Log* log, Scheduler* scheduler, Socket peer) {
  log->push_back("2 interrupts");
  scheduler->schedule_exception(1, std::make_exception_ptr(std::runtime_error("interrupted")));
  co_yield nothing;
  peer.write("x");
  std::vector<std::string> texts{"2", "2", "2 ends"};
  co_await say(log, std::move(texts));
}

}  // namespace

TEST_CASE("an exception ends a wait for a socket, which later ends no other wait of the task",
          "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(catching(&log, wait_for_read(pair.here)));
  scheduler.new_task(interrupting(&log, &scheduler, pair.there));
  scheduler.run();
  REQUIRE(log == Log{"1 reads", "2 interrupts", "caught interrupted", "1 waits", "2", "2", "2 ends",
                     "1 continues"});
}

TEST_CASE("a system call that throws ends the wait that it has begun", "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  pair.there.write("x");
  Scheduler scheduler;
  scheduler.new_task(catching(&log, wait_and_fail(pair.here)));
  scheduler.new_task(say(&log, {"2", "2", "2", "2 ends"}));
  scheduler.run();
  REQUIRE(log ==
          Log{"1 reads", "2", "caught failed", "1 waits", "2", "2", "2 ends", "1 continues"});
}
