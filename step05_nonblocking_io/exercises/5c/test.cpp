#include <fcntl.h>

#include <any_catch2.hpp>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "process.hpp"
#include "program.cpp"

namespace {

/// Counts the turns of a sleeper.
class Counted final : public Coroutine {
 public:
  Counted(std::shared_ptr<Sleeper> sleeper, int& turns)
      : sleeper_(std::move(sleeper)), turns_(turns) {}

 private:
  std::shared_ptr<Sleeper> sleeper_;
  int& turns_;

  std::optional<Yielded> resume(Value sent) override {
    return ++turns_ == 1 ? sleeper_->current() : sleeper_->send(std::move(sent));
  }
};

/// Waits for the end of a task, and kills another one.
class WaitAndKill final : public Coroutine {
 public:
  WaitAndKill(TaskId awaited, TaskId killed) : awaited_(awaited), killed_(killed) {}

 private:
  enum class State { start, waited, killed };
  State state_ = State::start;
  TaskId awaited_, killed_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      state_ = State::waited;
      return wait_task(awaited_);  // yield wait_task(awaited)
    case State::waited:
      state_ = State::killed;
      return kill_task(killed_);  // yield kill_task(killed)
    case State::killed:;
    }
    return std::nullopt;
  }
};

/// Returns how many descriptors are open. A new one always gets the smallest free number.
int open_descriptors() {
  int open = 0;
  for (int fd = 0; fd < 100; ++fd) open += ::fcntl(fd, F_GETFD) < 0 ? 0 : 1;
  return open;
}

/// Runs the tasks. Returns what they print.
std::string printed(Scheduler& scheduler) {
  std::ostringstream text;
  std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
  scheduler.run();
  std::cout.rdbuf(before);
  return text.str();
}

}  // namespace

TEST_CASE("the task that sleeps for the shortest time is up first") {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Sleeper>("Dora", milliseconds(3000)));
  scheduler.new_task(std::make_shared<Sleeper>("Eve", milliseconds(50)));
  scheduler.new_task(std::make_shared<WaitAndKill>(2, 1));  // so that we need not wait for Dora
  REQUIRE(printed(scheduler) == "Dora lies down.\nEve lies down.\nEve is up.\n");
}

TEST_CASE("no descriptor is open after the sleep that was not open before") {
  const auto sleep = [](int sleepers) {
    Scheduler scheduler;
    for (int i = 0; i < sleepers; ++i)
      scheduler.new_task(std::make_shared<Sleeper>("Finn", milliseconds(10)));
    printed(scheduler);
  };
  sleep(1);  // a solution may open something once
  const int before = open_descriptors();
  sleep(5);
  REQUIRE(open_descriptors() == before);
}

TEST_CASE("a sleeping task takes only few turns") {
  Scheduler scheduler;
  int turns = 0;
  auto sleeper = std::make_shared<Sleeper>("Gus", milliseconds(400));
  scheduler.new_task(std::make_shared<Counted>(std::move(sleeper), turns));
  REQUIRE(printed(scheduler) == "Gus lies down.\nGus is up.\n");
  REQUIRE(turns < 20);
}
