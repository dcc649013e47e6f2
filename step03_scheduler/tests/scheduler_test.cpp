#include "scheduler.hpp"

#include <any_catch2.hpp>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Log = std::vector<std::string>;
using Turns = std::vector<int>;

/// Yields `count` times and writes `number` down at each turn; the last turn does what `at_end`
/// says. Destroying it writes down `-number`.
class Counting final : public Coroutine {
 public:
  Counting(
      Turns& turns, int number, int count, std::function<void()> at_end = [] {})
      : turns_(turns), number_(number), count_(count), at_end_(std::move(at_end)) {}
  ~Counting() override { turns_.push_back(-number_); }

 private:
  enum class At { start, yielded } at_ = At::start;
  Turns& turns_;
  int number_, count_, i_ = 0;
  std::function<void()> at_end_;

  std::optional<Yielded> resume(Value) override {
    turns_.push_back(number_);
    switch (at_) {
    case At::start:
      for (i_ = 0; i_ < count_; ++i_) {
        at_ = At::yielded;
        return Nothing{};
      case At::yielded:;
      }
    }
    at_end_();
    return std::nullopt;
  }
};

/// Writes down each value it is sent.
class Listening final : public Coroutine {
 public:
  explicit Listening(Log& log) : log_(log) {}

 private:
  Log& log_;

  std::optional<Yielded> resume(Value sent) override {
    log_.push_back(sent.has_value() ? std::any_cast<std::string>(sent) : "nothing");
    return Nothing{};
  }
};

}  // namespace

TEST_CASE("a task runs to its first yield in its first turn, and loses no value", "[step03]") {
  Log log;
  Task task(1, std::make_shared<Listening>(log));
  REQUIRE(log.empty());
  REQUIRE(task.run());
  REQUIRE(log == Log{"nothing"});
}

TEST_CASE("a task sends its value once, then nothing", "[step03]") {
  Log log;
  Task task(1, std::make_shared<Listening>(log));
  task.run();
  task.set_send_value(std::string("a"));
  task.run();
  task.run();
  REQUIRE(log == Log{"nothing", "a", "nothing"});
}

TEST_CASE("a value set before the first turn is sent at the second", "[step03]") {
  Log log;
  Task task(1, std::make_shared<Listening>(log));
  task.set_send_value(std::string("early"));
  task.run();
  task.run();
  REQUIRE(log == Log{"nothing", "early"});
}

TEST_CASE("a task knows its id and its end", "[step03]") {
  Turns turns;
  Task task(7, std::make_shared<Counting>(turns, 1, 1));
  REQUIRE(task.id() == 7);
  REQUIRE(task.run());
  REQUIRE_FALSE(task.is_finished());
  REQUIRE_FALSE(task.run());
  REQUIRE(task.is_finished());
}

TEST_CASE("ids count from 1", "[step03]") {
  Turns turns;
  Scheduler scheduler;
  REQUIRE(scheduler.new_task(std::make_shared<Counting>(turns, 1, 0)) == 1);
  REQUIRE(scheduler.new_task(std::make_shared<Counting>(turns, 2, 0)) == 2);
  scheduler.run();
  REQUIRE(scheduler.new_task(std::make_shared<Counting>(turns, 3, 0)) == 3);
}

TEST_CASE("run without a task returns", "[step03]") {
  Scheduler scheduler;
  scheduler.run();
}

TEST_CASE("nothing runs before run", "[step03]") {
  Turns turns;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Counting>(turns, 1, 2));
  REQUIRE(turns.empty());
}

TEST_CASE("ten and five turns alternate as in the article", "[step03]") {
  Turns turns;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Counting>(turns, 1, 10));
  scheduler.new_task(std::make_shared<Counting>(turns, 2, 5));
  scheduler.run();
  REQUIRE(turns == Turns{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, -2, 1, 1, 1, 1, 1, -1});
}

TEST_CASE("the recipe's three tasks take 33 turns", "[step03]") {
  Turns turns;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Counting>(turns, 1, 10));
  scheduler.new_task(std::make_shared<Counting>(turns, 2, 5));
  scheduler.new_task(std::make_shared<Counting>(turns, 3, 15));
  scheduler.run();
  REQUIRE(turns.size() == 33 + 3);
}

TEST_CASE("a finished coroutine is destroyed before the next task runs", "[step03]") {
  Turns turns;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Counting>(turns, 1, 0));
  scheduler.new_task(std::make_shared<Counting>(turns, 2, 0));
  scheduler.run();
  REQUIRE(turns == Turns{1, -1, 2, -2});
}

TEST_CASE("a task that starts another while running puts it at the end", "[step03]") {
  Turns turns;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Counting>(
      turns, 1, 1, [&] { scheduler.new_task(std::make_shared<Counting>(turns, 3, 1)); }));
  scheduler.new_task(std::make_shared<Counting>(turns, 2, 2));
  scheduler.run();
  REQUIRE(turns == Turns{1, 2, 1, -1, 2, 3, 2, -2, 3, -3});
}

TEST_CASE("an exception ends its task and leaves run, the others go on", "[step03]") {
  Turns turns;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Counting>(turns, 1, 1));
  scheduler.new_task(
      std::make_shared<Counting>(turns, 2, 0, [] { throw std::runtime_error("from task 2"); }));
  scheduler.new_task(std::make_shared<Counting>(turns, 3, 1));
  REQUIRE_THROWS_WITH(scheduler.run(), "from task 2");
  REQUIRE(turns == Turns{1, 2, -2});
  scheduler.run();
  REQUIRE(turns == Turns{1, 2, -2, 3, 1, -1, 3, -3});
}

TEST_CASE("tasks that still live are destroyed with the scheduler", "[step03]") {
  Turns turns;
  {
    Scheduler scheduler;
    scheduler.new_task(std::make_shared<Counting>(turns, 1, 9));
  }
  REQUIRE(turns == Turns{-1});
}

TEST_CASE("a frame may make a task while the scheduler is destroyed", "[step03]") {
  Turns turns;
  {
    Scheduler scheduler;
    const std::shared_ptr<void> guard(
        nullptr, [&](void*) { scheduler.new_task(std::make_shared<Counting>(turns, 3, 1)); });
    scheduler.new_task(std::make_shared<Counting>(turns, 1, 1, [guard] {}));
    scheduler.new_task(std::make_shared<Counting>(turns, 2, 1));
  }
  REQUIRE(turns == Turns{-1, -2, -3});
}

TEST_CASE("a task without a coroutine is an error at once", "[step03]") {
  Scheduler scheduler;
  REQUIRE_THROWS_AS(scheduler.new_task(nullptr), std::invalid_argument);
}

TEST_CASE("a hundred thousand tasks all have their turns", "[step03]") {
  Turns turns;
  Scheduler scheduler;
  for (int i = 0; i < 100000; ++i) scheduler.new_task(std::make_shared<Counting>(turns, 1, 1));
  scheduler.run();
  REQUIRE(turns.size() == 300000);
}
