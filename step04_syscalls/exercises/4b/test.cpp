#include <any_catch2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "process.hpp"

namespace {

using Log = std::vector<std::string>;

/// Works for some turns and ends.
class Working final : public Coroutine {
 public:
  Working(Log& log, int turns) : log_(log), turns_(turns) {}

 private:
  Log& log_;
  int turns_;

  std::optional<Yielded> resume(Value) override {
    if (turns_-- > 0) return Nothing{};
    log_.push_back("the work has ended");
    return std::nullopt;
  }
};

/// Waits for a task and writes down the answer.
class Waiting final : public Coroutine {
 public:
  Waiting(Log& log, TaskId id, int turns_before = 0) : log_(log), id_(id), turns_(turns_before) {}

 private:
  enum class At { start, yielded, waited } at_ = At::start;
  Log& log_;
  TaskId id_;
  int turns_;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      while (turns_-- > 0) {
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:;
      }
      at_ = At::waited;
      return wait_task(id_);  // answer = yield wait_task(id)
    case At::waited:
      log_.push_back(std::any_cast<bool>(sent) ? "answer: true" : "answer: false");
    }
    return std::nullopt;
  }
};

}  // namespace

TEST_CASE("a task that waits goes on when the other one has ended, not before") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Waiting>(log, 2));
  scheduler.new_task(std::make_shared<Working>(log, 3));
  scheduler.run();
  REQUIRE(log == Log{"the work has ended", "answer: true"});
}

TEST_CASE("two tasks may wait for the same one, and both are woken") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Waiting>(log, 3));
  scheduler.new_task(std::make_shared<Waiting>(log, 3));
  scheduler.new_task(std::make_shared<Working>(log, 3));
  scheduler.run();
  REQUIRE(log == Log{"the work has ended", "answer: true", "answer: true"});
}

TEST_CASE("waiting for a task that has ended already gives true at once") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Working>(log, 0));
  scheduler.new_task(std::make_shared<Waiting>(log, 1, 3));
  scheduler.run();
  REQUIRE(log == Log{"the work has ended", "answer: true"});
}

TEST_CASE("waiting for a task that never was gives false at once") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Waiting>(log, 500));
  scheduler.new_task(std::make_shared<Waiting>(log, 0));
  scheduler.new_task(std::make_shared<Waiting>(log, -1));
  scheduler.run();
  REQUIRE(log == Log{"answer: false", "answer: false", "answer: false"});
}

TEST_CASE("a task that waits for itself gets false at once") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Waiting>(log, 1));
  scheduler.run();
  REQUIRE(log == Log{"answer: false"});
}

TEST_CASE("nobody is left behind when the task that was waited for is killed") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Waiting>(log, 2));
  const TaskId working = scheduler.new_task(std::make_shared<Working>(log, 3));
  scheduler.new_task(std::make_shared<Working>(log, 0));
  REQUIRE(scheduler.kill_task(working));
  scheduler.run();
  REQUIRE(scheduler.living_tasks().empty());
}
