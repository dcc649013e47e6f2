#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "script.hpp"

namespace {

/// Runs the scheduler. Returns the text that it writes to stderr.
std::string errors_of(Scheduler& scheduler) {
  std::ostringstream errors;
  std::streambuf* const before = std::cerr.rdbuf(errors.rdbuf());
  scheduler.run();
  std::cerr.rdbuf(before);
  return errors.str();
}

/// Ends some turns, and then throws.
Coroutine<> fail(int turns, std::string message, std::shared_ptr<void> = nullptr) {
  for (int i = 0; i < turns; ++i) {
    co_yield nothing;
  }
  throw std::runtime_error(message);
}

Coroutine<> throw_42() {
  co_yield nothing;
  throw 42;
}

/// Calls another coroutine, and catches nothing.
Coroutine<> pass_on(Log* log, std::string name, Coroutine<> callee) {
  log->push_back(name);
  co_await std::move(callee);
  log->push_back("never");
}

/// Calls another coroutine, and catches its exception.
Coroutine<> catching(Log* log, Coroutine<> callee) {
  try {
    co_await std::move(callee);
  } catch (const std::exception& error) {
    log->push_back(std::string("caught ") + error.what());
  }
  log->push_back("continues");
}

/// Throws another exception when an exception is thrown into it.
Coroutine<> translate(Coroutine<> callee) {
  try {
    co_await std::move(callee);
  } catch (const std::exception& error) {
    throw std::runtime_error(std::string("translated: ") + error.what());
  }
}

Coroutine<> kill_only(TaskId id) {
  co_await kill_task(id);
}

Coroutine<> do_call(SystemCall<TaskId> call) {
  co_await call;
}

/// Yields, and catches the exception that is thrown at the yield.
Coroutine<> yield_in_try(Log* log) {
  try {
    co_yield nothing;
    log->push_back("never");
  } catch (const std::exception& error) {
    log->push_back(std::string("caught ") + error.what());
  }
}

/// Calls itself until `depth` is 0, and throws there.
Coroutine<> nested_failure(int depth, std::vector<int>* destroyed) {
  const std::shared_ptr<void> local(nullptr,
                                    [depth, destroyed](void*) { destroyed->push_back(depth); });
  if (depth == 0) throw std::runtime_error("from the innermost coroutine");
  co_await nested_failure(depth - 1, destroyed);
}

}  // namespace

TEST_CASE("an exception in a task ends that task and is reported in one line", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(fail(1, "from a", at_destruction(&log, "a is destroyed")));
  scheduler.new_task(say(&log, {"b1", "b2", "b3"}));
  REQUIRE(errors_of(scheduler) == "Task 1 failed: from a\n");
  REQUIRE(log == Log{"b1", "a is destroyed", "b2", "b3"});
  REQUIRE_FALSE(scheduler.find(1));
}

TEST_CASE("an exception that is not derived from std::exception is reported without a message",
          "[step08]") {
  Scheduler scheduler;
  scheduler.new_task(throw_42());
  REQUIRE(errors_of(scheduler) == "Task 1 failed.\n");
}

TEST_CASE("a task that waits for a failing task is woken", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(fail(2, "from a"));
  scheduler.new_task(wait(&log, "b", 1));
  REQUIRE(errors_of(scheduler) == "Task 1 failed: from a\n");
  REQUIRE(log == Log{"b waits", "b continues"});
}

TEST_CASE("an exception in a system call is thrown into its task in the next turn of the task",
          "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(catching(&log, do_call([](TaskId, Scheduler&) -> TaskId {
    throw std::runtime_error("from the call");
  })));
  scheduler.new_task(say(&log, {"b1", "b2"}));
  REQUIRE(errors_of(scheduler) == "");
  REQUIRE(log == Log{"b1", "caught from the call", "continues", "b2"});
}

TEST_CASE("kill_task throws into the task that asks when there is no such task", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(catching(&log, kill_only(500)));
  scheduler.new_task(kill_only(1000));
  REQUIRE(errors_of(scheduler) == "Task 2 failed: Invalid task ID!\n");
  REQUIRE(log == Log{"caught Invalid task ID!", "continues"});
}

TEST_CASE("an exception is thrown at the co_yield at which a task is suspended", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(yield_in_try(&log));
  scheduler.new_task(act(0, [&] {
    scheduler.find(1)->set_exception(std::make_exception_ptr(std::runtime_error("from outside")));
  }));
  scheduler.run();
  REQUIRE(log == Log{"caught from outside"});
}

TEST_CASE("an exception for a task that has not run is thrown at its first co_yield", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(yield_in_try(&log));
  scheduler.find(1)->set_exception(std::make_exception_ptr(std::runtime_error("early")));
  scheduler.run();
  REQUIRE(log == Log{"caught early"});
}

TEST_CASE("an exception for a task that has not run is thrown when its first call returns",
          "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(catching(&log, say(&log, {"callee"})));
  scheduler.find(1)->set_exception(std::make_exception_ptr(std::runtime_error("early")));
  scheduler.run();
  REQUIRE(log == Log{"callee", "caught early", "continues"});
}

TEST_CASE("an exception for a task is not thrown when exec_task has replaced its body",
          "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(catching(&log, say(&log, {"never"})));
  scheduler.schedule_exception(1, std::make_exception_ptr(std::runtime_error("too late")));
  scheduler.find(1)->exec(say(&log, {"other body"}).release());
  REQUIRE(errors_of(scheduler) == "");
  REQUIRE(log == Log{"other body"});
}

TEST_CASE("an exception for a task is not reported when the task was killed before its turn",
          "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(catching(&log, say(&log, {"never"})));
  scheduler.schedule_exception(1, std::make_exception_ptr(std::runtime_error("too late")));
  scheduler.kill_task(1);
  REQUIRE(errors_of(scheduler) == "");
  REQUIRE(log.empty());
}

TEST_CASE("an exception in a callee is thrown into its caller after the callee is destroyed",
          "[step08]") {
  const int turns = GENERATE(0, 1, 2);
  Log log;
  run(catching(&log, fail(turns, "from the callee", at_destruction(&log, "callee is destroyed"))));
  REQUIRE(log == Log{"callee is destroyed", "caught from the callee", "continues"});
}

TEST_CASE(
    "an exception in a callee before its first yield is thrown into its caller in the same turn",
    "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(catching(&log, fail(0, "from the callee")));
  scheduler.new_task(say(&log, {"b"}));
  scheduler.run();
  REQUIRE(log == Log{"caught from the callee", "continues", "b"});
}

TEST_CASE("an exception passes through all callers that do not catch it", "[step08]") {
  Log log;
  run(catching(&log,
               pass_on(&log, "outer", pass_on(&log, "middle", fail(1, "from the innermost")))));
  REQUIRE(log == Log{"outer", "middle", "caught from the innermost", "continues"});
}

TEST_CASE("an exception that a caller catches does not reach the caller of that caller",
          "[step08]") {
  Log log;
  run(catching(&log, catching(&log, fail(1, "from the innermost"))));
  REQUIRE(log == Log{"caught from the innermost", "continues", "continues"});
}

TEST_CASE("a coroutine can catch an exception and throw another one into its caller", "[step08]") {
  Log log;
  run(catching(&log, translate(fail(1, "cause"))));
  REQUIRE(log == Log{"caught translated: cause", "continues"});
}

TEST_CASE("an exception passes through 100 000 calls and destroys every callee before its caller",
          "[step08]") {
  const int depth = 100000;
  std::vector<int> destroyed;
  Scheduler scheduler;
  scheduler.new_task(nested_failure(depth, &destroyed));
  REQUIRE(errors_of(scheduler) == "Task 1 failed: from the innermost coroutine\n");
  REQUIRE(destroyed.size() == depth + 1);
  REQUIRE(std::is_sorted(destroyed.begin(), destroyed.end()));
}
