#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "calls.hpp"
#include "catching.hpp"
#include "process.hpp"
#include "script.hpp"

namespace {

/// A step that throws.
Script::Step fail(const char* message) {
  return [message](Value) -> std::optional<Yielded> { throw std::runtime_error(message); };
}

/// Runs the scheduler. Returns the text that it writes to stderr.
std::string errors_of(Scheduler& scheduler) {
  std::ostringstream errors;
  std::streambuf* const before = std::cerr.rdbuf(errors.rdbuf());
  scheduler.run();
  std::cerr.rdbuf(before);
  return errors.str();
}

/// Calls itself until `depth` is 0, and throws there.
class NestedFailure final : public Coroutine {
 public:
  NestedFailure(int depth, std::shared_ptr<std::vector<int>> destroyed)
      : depth_(depth), destroyed_(std::move(destroyed)) {}
  NestedFailure(const NestedFailure&) = delete;
  NestedFailure& operator=(const NestedFailure&) = delete;
  ~NestedFailure() override { destroyed_->push_back(depth_); }

 private:
  int depth_;
  std::shared_ptr<std::vector<int>> destroyed_;

  std::optional<Yielded> resume(Value) override {
    if (depth_ == 0) throw std::runtime_error("from the innermost coroutine");
    return Call{std::make_shared<NestedFailure>(depth_ - 1, destroyed_)};
  }
};

/// Throws another exception when an exception is thrown into it.
class Translator final : public Coroutine {
 public:
  explicit Translator(Call call) : call_(std::move(call)) {}

 private:
  Call call_;

  std::optional<Yielded> resume(Value) override { return call_; }
  std::optional<Yielded> resume_with_exception(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      throw std::runtime_error(std::string("translated: ") + e.what());
    }
  }
};

}  // namespace

TEST_CASE("an exception in a task ends that task and is reported in one line", "[step07]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({hold(at_destruction(log, "a is destroyed")), fail("from a")}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2"), say(log, "b3")}));
  REQUIRE(errors_of(scheduler) == "Task 1 failed: from a\n");
  REQUIRE(log == Log{"b1", "a is destroyed", "b2", "b3"});
  REQUIRE_FALSE(scheduler.find(1));
}

TEST_CASE("an exception that is not derived from std::exception is reported without a message",
          "[step07]") {
  Scheduler scheduler;
  scheduler.new_task(script({[](Value) -> std::optional<Yielded> { throw 42; }}));
  REQUIRE(errors_of(scheduler) == "Task 1 failed.\n");
}

TEST_CASE("a task that waits for a failing task is woken", "[step07]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({pass(), pass(), fail("from a")}));
  scheduler.new_task(script({say(log, "b waits", wait_task(1)), say(log, "b is woken")}));
  REQUIRE(errors_of(scheduler) == "Task 1 failed: from a\n");
  REQUIRE(log == Log{"b waits", "b is woken"});
}

TEST_CASE("an exception in a system call is thrown into its task in the next turn of the task",
          "[step07]") {
  Log log;
  Scheduler scheduler;
  const SystemCall fails = [](TaskId, Scheduler&) { throw std::runtime_error("from the call"); };
  scheduler.new_task(
      catching(log, {say(log, "a", fails), hear(log, "a got "), hear(log, "a got ")}));
  scheduler.new_task(script({say(log, "b"), say(log, "b"), say(log, "b")}));
  REQUIRE(errors_of(scheduler) == "");
  REQUIRE(log == Log{"a", "b", "caught from the call", "a got nothing", "b", "a got nothing", "b"});
}

TEST_CASE("an exception in a system call ends its task when the task does not catch it",
          "[step07]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", kill_task(500)), say(log, "never")}));
  REQUIRE(errors_of(scheduler) == "Task 1 failed: Invalid task ID!\n");
  REQUIRE(log == Log{"a"});
}

TEST_CASE("kill_task throws into the task that asks when there is no such task", "[step07]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({}));
  scheduler.new_task(catching(
      log, {say(log, "missing", kill_task(500)), say(log, "finished", kill_task(1)),
            say(log, "running", kill_task(3)), say(log, "killed", kill_task(3)), say(log, "end")}));
  scheduler.new_task(script(std::vector<Script::Step>(10, pass())));
  scheduler.run();
  REQUIRE(log == Log{"missing", "caught Invalid task ID!", "finished", "caught Invalid task ID!",
                     "running", "killed", "caught Invalid task ID!", "end"});
}

TEST_CASE("an exception in a callee is thrown into its caller after the callee is destroyed",
          "[step07]") {
  Log log;
  Scheduler scheduler;
  const Script::Step calls = [&log](Value) {
    return call({hold(at_destruction(log, "callee is destroyed")), fail("from the callee")});
  };
  scheduler.new_task(catching(log, {calls, say(log, "caller continues")}));
  scheduler.run();
  REQUIRE(log == Log{"callee is destroyed", "caught from the callee", "caller continues"});
}

TEST_CASE(
    "an exception in a callee before its first yield is thrown into its caller in the same turn",
    "[step07]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(
      catching(log, {say(log, "a1", call({fail("from the callee")})), say(log, "a2")}));
  scheduler.new_task(script({say(log, "b")}));
  scheduler.run();
  REQUIRE(log == Log{"a1", "caught from the callee", "a2", "b"});
}

TEST_CASE("an exception passes through all callers that do not catch it", "[step07]") {
  Log log;
  Scheduler scheduler;
  const Call innermost = call({pass(), fail("from the innermost")});
  const Call middle = call({say(log, "middle", innermost), say(log, "never")});
  const Call outer = call({say(log, "outer", middle), say(log, "never")});
  scheduler.new_task(catching(log, {say(log, "outermost", outer), say(log, "continues")}));
  scheduler.run();
  REQUIRE(log == Log{"outermost", "outer", "middle", "caught from the innermost", "continues"});
}

TEST_CASE("an exception that a caller catches does not reach the caller of that caller",
          "[step07]") {
  Log log;
  Scheduler scheduler;
  const Call middle{catching(log, {say(log, "middle", call({fail("from the innermost")})),
                                   say(log, "returns", result("x"))})};
  scheduler.new_task(catching(log, {say(log, "outermost", middle), hear(log, "got ")}));
  scheduler.run();
  REQUIRE(log == Log{"outermost", "middle", "caught from the innermost", "returns", "got x"});
}

TEST_CASE("an exception in a system call is thrown into the innermost coroutine", "[step07]") {
  Log log;
  Scheduler scheduler;
  const Call callee{
      catching(log, {say(log, "callee", kill_task(500)), say(log, "returns", result("x"))})};
  scheduler.new_task(catching(log, {say(log, "caller", callee), hear(log, "got ")}));
  scheduler.run();
  REQUIRE(log == Log{"caller", "callee", "caught Invalid task ID!", "returns", "got x"});
}

TEST_CASE("a coroutine can catch an exception and throw another one into its caller", "[step07]") {
  Log log;
  Scheduler scheduler;
  const Call middle{std::make_shared<Translator>(call({fail("cause")}))};
  scheduler.new_task(catching(log, {say(log, "calls", middle), say(log, "continues")}));
  scheduler.run();
  REQUIRE(log == Log{"calls", "caught translated: cause", "continues"});
}

TEST_CASE("a caller can call again when it has caught an exception", "[step07]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(catching(
      log, {say(log, "1", call({fail("first")})), say(log, "2", call({pass(), fail("second")})),
            say(log, "3", call({hear(log, "callee got ", result("x"))})), hear(log, "got ")}));
  scheduler.run();
  REQUIRE(log ==
          Log{"1", "caught first", "2", "caught second", "3", "callee got nothing", "got x"});
}

TEST_CASE("an exception passes through 100 000 calls and destroys every callee before its caller",
          "[step07]") {
  const int depth = 100000;
  const auto destroyed = std::make_shared<std::vector<int>>();
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<NestedFailure>(depth, destroyed));
  REQUIRE(errors_of(scheduler) == "Task 1 failed: from the innermost coroutine\n");
  REQUIRE(destroyed->size() == depth + 1);
  REQUIRE(std::is_sorted(destroyed->begin(), destroyed->end()));
}

TEST_CASE("an exception for a task that has not run is thrown at its first yield in its first turn",
          "[step07]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(catching(log, {say(log, "a1", kill_task(2)), say(log, "a2")}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2")}));
  scheduler.find(1)->exception = std::make_exception_ptr(std::runtime_error("early"));
  scheduler.run();
  REQUIRE(log == Log{"a1", "caught early", "a2", "b1", "b2"});  // nobody performs kill_task(2)
}

TEST_CASE("an exception that is scheduled for a missing task has no effect", "[step07]") {
  Scheduler scheduler;
  scheduler.schedule_exception(1, std::make_exception_ptr(std::runtime_error("late")));
  REQUIRE(errors_of(scheduler) == "");
}
