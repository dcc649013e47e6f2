#include "scheduler.hpp"

#include <string>
#include <vector>

#include "any_catch2.hpp"
#include "script.hpp"

namespace {

/// A task that writes its name to the log in each of its turns: `yields` times, and in its last
/// turn once more with a full stop.
std::shared_ptr<Coroutine> turns(Log& log, const std::string& name, int yields) {
  std::vector<Script::Step> steps;
  for (int i = 0; i < yields; ++i) steps.push_back(say(log, name));
  steps.push_back([&log, name](Value) -> std::optional<Yielded> {
    log.push_back(name + ".");
    return std::nullopt;
  });
  return script(std::move(steps));
}

}  // namespace

TEST_CASE("a task loses no yield in its first turn", "[step03]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "first"), say(log, "second")}));
  scheduler.new_task(script({say(log, "other")}));
  scheduler.run();
  REQUIRE(log == Log{"first", "other", "second"});
}

TEST_CASE("ids count from 1 and are not used twice", "[step03]") {
  Scheduler scheduler;
  REQUIRE(scheduler.new_task(script({})) == 1);
  REQUIRE(scheduler.new_task(script({})) == 2);
  scheduler.run();
  REQUIRE(scheduler.new_task(script({})) == 3);
}

TEST_CASE("run returns immediately when there is no task", "[step03]") {
  Scheduler scheduler;
  scheduler.run();
}

TEST_CASE("a new task does not run before run is called", "[step03]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(turns(log, "a", 2));
  REQUIRE(log.empty());
}

TEST_CASE("tasks take turns in the order of the queue", "[step03]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(turns(log, "a", 3));
  scheduler.new_task(turns(log, "b", 1));
  scheduler.new_task(turns(log, "c", 2));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "c", "a", "b.", "c", "a", "c.", "a."});
}

TEST_CASE("ten and five yields take seventeen turns", "[step03]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(turns(log, "1", 10));
  scheduler.new_task(turns(log, "2", 5));
  scheduler.run();
  REQUIRE(log == Log{"1", "2", "1", "2", "1", "2", "1", "2", "1", "2", "1", "2.", "1", "1", "1",
                     "1", "1."});
}

TEST_CASE("a finished coroutine is destroyed before the next task runs", "[step03]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({hold(at_destruction(log, "a is destroyed"))}));
  scheduler.new_task(script({say(log, "b"), say(log, "b")}));
  scheduler.run();
  REQUIRE(log == Log{"b", "a is destroyed", "b"});
}

TEST_CASE("a task that is created during a turn is put at the end of the queue", "[step03]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({[&](Value) {
    log.push_back("a");
    scheduler.new_task(turns(log, "new", 1));
    return Nothing{};
  }}));
  scheduler.new_task(turns(log, "b", 2));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "new", "b", "new.", "b."});
}

TEST_CASE("the scheduler destroys the tasks that have not finished", "[step03]") {
  Log log;
  {
    Scheduler scheduler;
    scheduler.new_task(script({hold(at_destruction(log, "destroyed"))}));
  }
  REQUIRE(log == Log{"destroyed"});
}

TEST_CASE("a hundred thousand tasks run to their ends", "[step03]") {
  Log log;
  Scheduler scheduler;
  for (int i = 0; i < 100000; ++i) scheduler.new_task(turns(log, "a", 1));
  scheduler.run();
  REQUIRE(log.size() == 200000);
}
