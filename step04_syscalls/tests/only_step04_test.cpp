// Facts that a later step changes: kill_task() returns false for a missing task, and an exception
// propagates out of run(). Both become exceptions in the task in step 7. No later step in C++17 has
// exec_task() and fork_task().

#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "process.hpp"
#include "script.hpp"
#include "small_unix.hpp"

namespace {

/// A coroutine for tests. It forks in its first turn, and then runs a step in each turn.
class Forking final : public Coroutine {
 public:
  explicit Forking(std::vector<Script::Step> steps) : steps_(std::move(steps)) {}

 private:
  std::vector<Script::Step> steps_;
  std::size_t next_ = 0;
  bool forked_ = false;

  std::optional<Yielded> resume(Value sent) override {
    if (!std::exchange(forked_, true)) return fork_task(*this);
    if (next_ == steps_.size()) return std::nullopt;
    return steps_[next_++](std::move(sent));
  }
};

}  // namespace

TEST_CASE("kill_task returns true or false when there is no such task", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({}));
  scheduler.new_task(script({say(log, "kills", kill_task(1)), hear(log, "finished: ", kill_task(3)),
                             hear(log, "3: ", kill_task(3)), hear(log, "3 again: ")}));
  scheduler.new_task(script({pass(), pass(), pass(), pass()}));
  scheduler.run();
  REQUIRE(log == Log{"kills", "finished: false", "3: true", "3 again: false"});
}

TEST_CASE("an exception in a body propagates out of run and a second run continues", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(
      script({[](Value) -> std::optional<Yielded> { throw std::runtime_error("from a"); }}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2")}));
  REQUIRE_THROWS_WITH(scheduler.run(), "from a");
  scheduler.run();
  REQUIRE(log == Log{"b1", "b2"});
}

TEST_CASE("an exception in a system call propagates out of run and its task does not continue",
          "[step04]") {
  Log log;
  Scheduler scheduler;
  const SystemCall fails = [](TaskId, Scheduler&) { throw std::runtime_error("from the call"); };
  scheduler.new_task(script({say(log, "a", fails), say(log, "never")}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2")}));
  REQUIRE_THROWS_WITH(scheduler.run(), "from the call");
  scheduler.run();
  REQUIRE(log == Log{"a", "b1", "b2"});
}

TEST_CASE("exec_task replaces the body and keeps the id", "[step04]") {
  Log log;
  Scheduler scheduler;
  const SystemCall other = exec_task(script({say(log, "new", get_task_id()), hear(log, "id ")}));
  scheduler.new_task(script(
      {hold(at_destruction(log, "old is destroyed")), say(log, "old", other), say(log, "never")}));
  scheduler.run();
  REQUIRE(log == Log{"old", "old is destroyed", "new", "id 1"});
}

TEST_CASE("waiting for a task includes the body that it runs after exec_task", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_task(2)), say(log, "a continues")}));
  scheduler.new_task(script({say(log, "b", exec_task(script({say(log, "c"), say(log, "d")})))}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "c", "d", "a continues"});
}

TEST_CASE("fork_task returns the id to the original and nothing to the copy which runs first",
          "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Forking>(
      std::vector<Script::Step>{hear(log, "got ", get_task_id()), hear(log, "I am ")}));
  scheduler.run();
  REQUIRE(log == Log{"got nothing", "got 2", "I am 2", "I am 1"});
}

TEST_CASE("waiting for a task does not wait for its forked copy", "[step04]") {
  Log log;
  Scheduler scheduler;
  const Script::Step original_ends = [](const Value& sent) -> std::optional<Yielded> {
    if (sent.has_value()) return std::nullopt;
    return Nothing{};
  };
  const SystemCall wait_forever = [](TaskId, Scheduler&) {};
  scheduler.new_task(script({say(log, "a", wait_task(2)), say(log, "a continues", wait_forever),
                             say(log, "never")}));  // not when the copy ends either
  scheduler.new_task(std::make_shared<Forking>(
      std::vector<Script::Step>{original_ends, say(log, "copy"), say(log, "copy")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "copy", "a continues", "copy"});
}
