#include <any_catch2.hpp>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "program.cpp"

namespace {

using Log = std::vector<std::string>;

/// Calls a function in each of its two turns.
class Twice final : public Coroutine {
 public:
  explicit Twice(std::function<void()> function) : function_(std::move(function)) {}

 private:
  bool second_ = false;
  std::function<void()> function_;

  std::optional<Yielded> resume(Value) override {
    function_();
    if (std::exchange(second_, true)) return std::nullopt;
    return Nothing{};
  }
};

/// A coroutine that writes a text to the log in each of its two turns.
std::shared_ptr<Coroutine> says(Log& log, std::string text) {
  return std::make_shared<Twice>([&log, text] { log.push_back(text); });
}

}  // namespace

TEST_CASE("only the first turn of an urgent task comes before the tasks in the queue") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(says(log, "a"));
  scheduler.new_urgent_task(says(log, "urgent"));
  scheduler.new_task(says(log, "b"));
  scheduler.run();
  REQUIRE(log == Log{"urgent", "a", "b", "urgent", "a", "b"});
}

TEST_CASE("an urgent task that is created during a turn has the next turn") {
  Log log;
  Scheduler scheduler;
  bool called = false;
  scheduler.new_task(std::make_shared<Twice>([&] {
    log.push_back("a");
    if (!std::exchange(called, true)) scheduler.new_urgent_task(says(log, "urgent"));
  }));
  scheduler.new_task(says(log, "b"));
  scheduler.run();
  REQUIRE(log == Log{"a", "urgent", "b", "a", "urgent", "b"});
}

TEST_CASE("of several urgent tasks, the one that was created last has the first turn") {
  Log log;
  Scheduler scheduler;
  for (const char* const name : {"a", "b", "c"}) scheduler.new_urgent_task(says(log, name));
  scheduler.run();
  REQUIRE(log == Log{"c", "b", "a", "c", "b", "a"});
}

TEST_CASE("new_task() and new_urgent_task() never return the same id") {
  Log log;
  Scheduler scheduler;
  REQUIRE(scheduler.new_task(says(log, "a")) == 1);
  REQUIRE(scheduler.new_urgent_task(says(log, "b")) == 2);
  REQUIRE(scheduler.new_task(says(log, "c")) == 3);
}

TEST_CASE("the id of a task that has finished is not used again") {
  Log log;
  Scheduler scheduler;
  REQUIRE(scheduler.new_urgent_task(says(log, "a")) == 1);
  scheduler.run();
  REQUIRE(scheduler.new_task(says(log, "b")) == 2);
  scheduler.run();
  REQUIRE(scheduler.new_urgent_task(says(log, "c")) == 3);
}

TEST_CASE("call() creates four tasks, and only the tasks print") {
  std::ostringstream text;
  std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
  Scheduler scheduler;
  call(scheduler);
  std::cout.rdbuf(before);
  REQUIRE(text.str().empty());
  Log log;
  REQUIRE(scheduler.new_task(says(log, "a")) == 5);
}
