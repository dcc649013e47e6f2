#include <any>
#include <any_catch2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "process.hpp"

namespace {

using Log = std::vector<std::string>;

/// Yields some times, then yields get_task_id() some times, and logs what it returns.
class Asking final : public Coroutine {
 public:
  Asking(Log& log, int yields, int questions) : log_(log), yields_(yields), questions_(questions) {}

 private:
  enum class State { start, yielded, got_id };
  State state_ = State::start;
  Log& log_;
  int yields_, questions_;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      for (; yields_ > 0; --yields_) {
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
      for (; questions_ > 0; --questions_) {
        state_ = State::got_id;
        return get_task_id();  // id = yield get_task_id()
      case State::got_id:
        const auto* const id = std::any_cast<TaskId>(&sent);
        log_.push_back(id ? "id " + std::to_string(*id) : "no TaskId");
      }
    }
    return std::nullopt;
  }
};

}  // namespace

TEST_CASE("each task gets its own id") {
  Log log;
  Scheduler scheduler;
  for (int i = 0; i < 3; ++i) scheduler.new_task(std::make_shared<Asking>(log, 0, 1));
  scheduler.run();
  REQUIRE(log == Log{"id 1", "id 2", "id 3"});
}

TEST_CASE("a task that yields the call again gets the same id") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Asking>(log, 0, 3));
  scheduler.run();
  REQUIRE(log == Log{"id 1", "id 1", "id 1"});
}

TEST_CASE("a task that yields the call later than others gets its own id") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Asking>(log, 5, 1));
  scheduler.new_task(std::make_shared<Asking>(log, 0, 1));
  scheduler.run();
  REQUIRE(log == Log{"id 2", "id 1"});
}

TEST_CASE("the call takes one turn") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Asking>(log, 0, 2));
  scheduler.new_task(std::make_shared<Asking>(log, 0, 2));
  scheduler.run();
  REQUIRE(log == Log{"id 1", "id 2", "id 1", "id 2"});
}

TEST_CASE("each of a hundred thousand tasks gets its own id") {
  Log log;
  Scheduler scheduler;
  for (int i = 0; i < 100'000; ++i) scheduler.new_task(std::make_shared<Asking>(log, 0, 1));
  scheduler.run();
  REQUIRE(log.size() == 100'000);
  REQUIRE(log[7] == "id 8");
  REQUIRE(log[255] == "id 256");
  REQUIRE(log.back() == "id 100000");
}
