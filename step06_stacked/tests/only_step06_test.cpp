// Facts that a later step changes.

#include <optional>
#include <stdexcept>

#include "any_catch2.hpp"
#include "calls.hpp"
#include "process.hpp"
#include "program.hpp"
#include "script.hpp"

TEST_CASE("an exception in a callee propagates out of run and a second run continues", "[step06]") {
  Log log;
  Scheduler scheduler;
  const Call fails =
      call({[](Value) -> std::optional<Yielded> { throw std::runtime_error("from the callee"); }});
  scheduler.new_task(script({say(log, "a", fails), say(log, "never")}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2")}));
  REQUIRE_THROWS_WITH(scheduler.run(), "from the callee");
  scheduler.run();
  REQUIRE(log == Log{"a", "b1", "b2"});
}

TEST_CASE("uncaught prints its expected output", "[step06]") {
  check_program("uncaught");
}
