#include <any_catch2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "process.hpp"

namespace {

using Log = std::vector<std::string>;

/// Yields some times, then finishes.
class Working final : public Coroutine {
 public:
  Working(Log& log, int yields) : log_(log), yields_(yields) {}

 private:
  Log& log_;
  int yields_;

  std::optional<Yielded> resume(Value) override {
    if (yields_-- > 0) return Nothing{};
    log_.push_back("the work has finished");
    return std::nullopt;
  }
};

/// Yields some times, waits for a task, and then writes its name to the log.
class Waiting final : public Coroutine {
 public:
  Waiting(Log& log, std::string name, TaskId id, int yields_before = 0)
      : log_(log), name_(std::move(name)), id_(id), yields_(yields_before) {}

 private:
  enum class State { start, yielded, waited };
  State state_ = State::start;
  Log& log_;
  std::string name_;
  TaskId id_;
  int yields_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      while (yields_-- > 0) {
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
      state_ = State::waited;
      return wait_task(id_);  // yield wait_task(id)
    case State::waited:
      log_.push_back(name_ + " continues");
    }
    return std::nullopt;
  }
};

/// Kills a task.
class Killing final : public Coroutine {
 public:
  explicit Killing(TaskId id) : id_(id) {}

 private:
  bool killed_ = false;
  TaskId id_;

  std::optional<Yielded> resume(Value) override {
    if (std::exchange(killed_, true)) return std::nullopt;
    return kill_task(id_);
  }
};

}  // namespace

TEST_CASE("a waiting task continues after the other task has finished") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Waiting>(log, "a", 2));
  scheduler.new_task(std::make_shared<Working>(log, 3));
  scheduler.run();
  REQUIRE(log == Log{"the work has finished", "a continues"});
}

TEST_CASE("all tasks that wait for the same task continue, in the order of their calls") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Waiting>(log, "a", 4, 1));
  scheduler.new_task(std::make_shared<Waiting>(log, "b", 4));
  scheduler.new_task(std::make_shared<Waiting>(log, "c", 4));
  scheduler.new_task(std::make_shared<Working>(log, 3));
  scheduler.run();
  REQUIRE(log == Log{"the work has finished", "b continues", "c continues", "a continues"});
}

TEST_CASE("a task that waits for a finished task continues") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Working>(log, 0));
  scheduler.new_task(std::make_shared<Waiting>(log, "a", 1, 3));
  scheduler.run();
  REQUIRE(log == Log{"the work has finished", "a continues"});
}

TEST_CASE("a task that waits for a task that has never existed continues") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Waiting>(log, "a", 500));
  scheduler.run();
  REQUIRE(log == Log{"a continues"});
}

TEST_CASE("a task that waits for itself continues") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Waiting>(log, "a", 1));
  scheduler.run();
  REQUIRE(log == Log{"a continues"});
}

TEST_CASE("a waiting task continues after the other task has been killed") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Waiting>(log, "a", 2));
  scheduler.new_task(std::make_shared<Working>(log, 1000));
  scheduler.new_task(std::make_shared<Killing>(2));
  scheduler.run();
  REQUIRE(log == Log{"a continues"});
}
