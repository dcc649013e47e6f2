#include <any_catch2.hpp>
#include <optional>
#include <stdexcept>

#include "script.hpp"

TEST_CASE("a task knows its end", "[step03]") {
  Log log;
  Task task(1, script({hear(log, "")}));
  REQUIRE(task.run());
  REQUIRE_FALSE(task.is_finished());
  REQUIRE_FALSE(task.run());
  REQUIRE(task.is_finished());
}

TEST_CASE("an exception ends its task and leaves run, the others go on", "[step03]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({hear(log, "1 "), hear(log, "1 ")}));
  scheduler.new_task(
      script({hold(at_destruction(log, "2 destroyed")), [](const Value&) -> std::optional<Yielded> {
                throw std::runtime_error("from task 2");
              }}));
  scheduler.new_task(script({hear(log, "3 "), hear(log, "3 ")}));
  REQUIRE_THROWS_WITH(scheduler.run(), "from task 2");
  REQUIRE(log == Log{"1 nothing", "3 nothing", "1 nothing", "2 destroyed"});
  scheduler.run();
  REQUIRE(log == Log{"1 nothing", "3 nothing", "1 nothing", "2 destroyed", "3 nothing"});
}
