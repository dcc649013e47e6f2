// Facts that a later step changes: a task is a plain struct, and an exception in a body propagates
// out of run().

#include <optional>
#include <stdexcept>

#include "any_catch2.hpp"
#include "script.hpp"

TEST_CASE("the first turn of a task runs to the first yield", "[step03]") {
  Log log;
  Task task{script({say(log, "first"), say(log, "second")})};
  REQUIRE(log.empty());
  REQUIRE(task.run());
  REQUIRE(log == Log{"first"});
  REQUIRE(task.run());
  REQUIRE(log == Log{"first", "second"});
  REQUIRE_FALSE(task.run());
}

TEST_CASE("an exception in a body propagates out of run and a second run continues", "[step03]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a"), say(log, "a")}));
  scheduler.new_task(
      script({hold(at_destruction(log, "b is destroyed")),
              [](Value) -> std::optional<Yielded> { throw std::runtime_error("from b"); }}));
  scheduler.new_task(script({say(log, "c"), say(log, "c")}));
  REQUIRE_THROWS_WITH(scheduler.run(), "from b");
  REQUIRE(log == Log{"a", "c", "a", "b is destroyed"});
  scheduler.run();
  REQUIRE(log == Log{"a", "c", "a", "b is destroyed", "c"});
}
