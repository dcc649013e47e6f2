#include <any_catch2.hpp>
#include <ctime>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

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
  scheduler.new_task(std::make_shared<Sleeper>("Dora", milliseconds(250)));
  scheduler.new_task(std::make_shared<Sleeper>("Eve", milliseconds(50)));
  REQUIRE(printed(scheduler) == "Dora lies down.\nEve lies down.\nEve is up.\nDora is up.\n");
}

TEST_CASE("a sleeping task uses no CPU time") {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Sleeper>("Finn", milliseconds(200)));
  const std::clock_t start = std::clock();
  REQUIRE(printed(scheduler) == "Finn lies down.\nFinn is up.\n");
  REQUIRE(std::clock() - start < CLOCKS_PER_SEC / 10);
}

TEST_CASE("a sleeping task takes no turns") {
  Scheduler scheduler;
  int turns = 0;
  auto sleeper = std::make_shared<Sleeper>("Gus", milliseconds(200));
  scheduler.new_task(std::make_shared<Counted>(std::move(sleeper), turns));
  REQUIRE(printed(scheduler) == "Gus lies down.\nGus is up.\n");
  REQUIRE(turns < 5);
}
