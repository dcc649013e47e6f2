#include <any_catch2.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "scheduler.hpp"

namespace {

using Log = std::vector<std::string>;

/// Calls a function in each of its turns, and yields after each call but the last.
class Calls final : public Coroutine {
 public:
  Calls(int turns, std::function<void()> function)
      : turns_(turns), function_(std::move(function)) {}

 private:
  int turns_;
  std::function<void()> function_;

  std::optional<Yielded> resume(Value) override {
    function_();
    if (--turns_ == 0) return std::nullopt;
    return Nothing{};
  }
};

/// A coroutine that writes a text to the log in each of its turns.
std::shared_ptr<Coroutine> says(Log& log, std::string text, int turns) {
  return std::make_shared<Calls>(turns, [&log, text] { log.push_back(text); });
}

}  // namespace

TEST_CASE("tasks take turns in the order of the queue") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(says(log, "a", 3));
  scheduler.new_task(says(log, "b", 1));
  scheduler.new_task(says(log, "c", 2));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "c", "a", "c", "a"});
}

TEST_CASE("a finished coroutine is destroyed before the next task has a turn") {
  Log log;
  Scheduler scheduler;
  auto coroutine = says(log, "a", 1);
  const std::weak_ptr<Coroutine> watched = coroutine;
  scheduler.new_task(std::move(coroutine));
  scheduler.new_task(std::make_shared<Calls>(1, [&log, &watched] {
    log.push_back(watched.expired() ? "a is destroyed" : "a still exists");
  }));
  scheduler.run();
  REQUIRE(log == Log{"a", "a is destroyed"});
}

TEST_CASE("a task that is created during a turn is put at the end of the queue") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(says(log, "a", 2));
  scheduler.new_task(std::make_shared<Calls>(1, [&log, &scheduler] {
    log.push_back("b");
    scheduler.new_task(says(log, "new", 1));
  }));
  scheduler.new_task(says(log, "c", 1));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "c", "a", "new"});
}

TEST_CASE("a task has a million turns") {
  int turns = 0;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Calls>(1'000'000, [&turns] { ++turns; }));
  scheduler.run();
  REQUIRE(turns == 1'000'000);
}

TEST_CASE("an exception that escapes a task also escapes run()") {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Calls>(1, [] { throw std::out_of_range("no such cake"); }));
  REQUIRE_THROWS_AS(scheduler.run(), std::out_of_range);
}
