#include <any>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "scheduler.hpp"
#include "script.hpp"

namespace {

using Turns = std::vector<int>;

/// Yields `count` times and writes `number` down at each turn; the last turn does what `at_end`
/// says. Destroying it writes down `-number`.
auto counting(Turns& turns, int number, int count, std::function<void()> at_end = [] {}) {
  const auto goes = [&turns, number](void*) { turns.push_back(-number); };
  const Script::Step turn = [&turns, number](const Value&) -> std::optional<Yielded> {
    turns.push_back(number);
    return Nothing{};
  };
  std::vector<Script::Step> steps(static_cast<std::size_t>(count), turn);
  steps.push_back([&turns, number, at_end, guard = std::shared_ptr<void>(nullptr, goes)](
                      const Value&) -> std::optional<Yielded> {
    turns.push_back(number);
    at_end();
    return std::nullopt;
  });
  return script(std::move(steps));
}

/// Writes down each value it is sent.
auto listening(Log& log) {
  return repeat([&log](const Value& sent) -> std::optional<Yielded> {
    log.push_back(sent.has_value() ? std::any_cast<std::string>(sent) : "nothing");
    return Nothing{};
  });
}

}  // namespace

TEST_CASE("a task runs to its first yield in its first turn, and loses no value", "[step08]") {
  Log log;
  Task task(1, listening(log));
  REQUIRE(log.empty());
  REQUIRE(task.run());
  REQUIRE(log == Log{"nothing"});
}

TEST_CASE("a task sends its value once, then nothing", "[step08]") {
  Log log;
  Task task(1, listening(log));
  task.run();
  task.set_send_value(std::string("a"));
  task.run();
  task.run();
  REQUIRE(log == Log{"nothing", "a", "nothing"});
}

TEST_CASE("a value set before the first turn is sent at the second", "[step08]") {
  Log log;
  Task task(1, listening(log));
  task.set_send_value(std::string("early"));
  task.run();
  task.run();
  REQUIRE(log == Log{"nothing", "early"});
}

TEST_CASE("a task knows its id and says when it ends", "[step08]") {
  Turns turns;
  Task task(7, counting(turns, 1, 2));
  REQUIRE(task.id() == 7);
  REQUIRE(task.run());
  REQUIRE(task.run());
  REQUIRE_FALSE(task.run());
}

TEST_CASE("ids count from 1", "[step08]") {
  Turns turns;
  Scheduler scheduler;
  REQUIRE(scheduler.new_task(counting(turns, 1, 0)) == 1);
  REQUIRE(scheduler.new_task(counting(turns, 2, 0)) == 2);
  scheduler.run();
  REQUIRE(scheduler.new_task(counting(turns, 3, 0)) == 3);
}

TEST_CASE("run without a task returns", "[step08]") {
  Scheduler scheduler;
  scheduler.run();
}

TEST_CASE("nothing runs before run", "[step08]") {
  Turns turns;
  Scheduler scheduler;
  scheduler.new_task(counting(turns, 1, 2));
  REQUIRE(turns.empty());
}

TEST_CASE("ten and five turns alternate as in the article", "[step08]") {
  Turns turns;
  Scheduler scheduler;
  scheduler.new_task(counting(turns, 1, 10));
  scheduler.new_task(counting(turns, 2, 5));
  scheduler.run();
  REQUIRE(turns == Turns{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, -2, 1, 1, 1, 1, 1, -1});
}

TEST_CASE("the recipe's three tasks take 33 turns", "[step08]") {
  Turns turns;
  Scheduler scheduler;
  scheduler.new_task(counting(turns, 1, 10));
  scheduler.new_task(counting(turns, 2, 5));
  scheduler.new_task(counting(turns, 3, 15));
  scheduler.run();
  REQUIRE(turns.size() == 33 + 3);
}

TEST_CASE("a finished coroutine is destroyed before the next task runs", "[step08]") {
  Turns turns;
  Scheduler scheduler;
  scheduler.new_task(counting(turns, 1, 0));
  scheduler.new_task(counting(turns, 2, 0));
  scheduler.run();
  REQUIRE(turns == Turns{1, -1, 2, -2});
}

TEST_CASE("a task that starts another while running puts it at the end", "[step08]") {
  Turns turns;
  Scheduler scheduler;
  scheduler.new_task(counting(turns, 1, 1, [&] { scheduler.new_task(counting(turns, 3, 1)); }));
  scheduler.new_task(counting(turns, 2, 2));
  scheduler.run();
  REQUIRE(turns == Turns{1, 2, 1, -1, 2, 3, 2, -2, 3, -3});
}

TEST_CASE("tasks that still live are destroyed with the scheduler", "[step08]") {
  Turns turns;
  {
    Scheduler scheduler;
    scheduler.new_task(counting(turns, 1, 9));
  }
  REQUIRE(turns == Turns{-1});
}

TEST_CASE("a frame may make a task while the scheduler is destroyed", "[step08]") {
  Turns turns;
  {
    Scheduler scheduler;
    const std::shared_ptr<void> guard(nullptr,
                                      [&](void*) { scheduler.new_task(counting(turns, 3, 1)); });
    scheduler.new_task(counting(turns, 1, 1, [guard] {}));
    scheduler.new_task(counting(turns, 2, 1));
  }
  REQUIRE(turns == Turns{-1, -2, -3});
}

TEST_CASE("a scheduler makes no task without a coroutine", "[step08]") {
  Scheduler scheduler;
  REQUIRE_THROWS_AS(scheduler.new_task(no_coroutine()), std::invalid_argument);
}

TEST_CASE("a hundred thousand tasks all have their turns", "[step08]") {
  Turns turns;
  Scheduler scheduler;
  for (int i = 0; i < 100000; ++i) scheduler.new_task(counting(turns, 1, 1));
  scheduler.run();
  REQUIRE(turns.size() == 300000);
}
