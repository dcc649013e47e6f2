// How errors are told until step 7 changes it, and the stack that only a hand-rolled frame can
// copy.

#include <any_catch2.hpp>
#include <stdexcept>

#include "process.hpp"
#include "script.hpp"

TEST_CASE("an exception goes through all callers and ends the task", "[step06]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", call({[](Value) -> std::optional<Yielded> {
                                   throw std::runtime_error("from inside");
                                 }})),
                             say(log, "never")}));
  scheduler.new_task(script({say(log, "b")}));
  REQUIRE_THROWS_WITH(scheduler.run(), "from inside");
  scheduler.run();
  REQUIRE(log == Log{"a", "b"});
}

TEST_CASE("calling nothing is an exception in the call", "[step06]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", call_nothing()), say(log, "never")}));
  REQUIRE_THROWS_AS(scheduler.run(), std::invalid_argument);
  REQUIRE(log == Log{"a"});
}

TEST_CASE("fork_task in a called coroutine copies the whole stack", "[step06]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "outer",
                                 call({say(log, "forks", fork_task()), hear(log, "inner got "),
                                       say(log, "returns", give("x"))})),
                             hear(log, "outer got ", get_task_id()), hear(log, "in task ")}));
  scheduler.run();
  REQUIRE(log == Log{"outer", "forks", "inner got nothing", "inner got 2", "returns", "outer got x",
                     "returns", "outer got x", "in task 2", "in task 1"});
}
