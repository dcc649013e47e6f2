// What only the hand-rolled version can do, or has to say.

#include <any_catch2.hpp>
#include <stdexcept>

#include "process.hpp"
#include "script.hpp"

TEST_CASE("a body that does not say otherwise catches nothing", "[step07]") {
  Log log;
  Script plain({say(log, "a"), say(log, "never")});
  plain.rewind();
  const auto error = std::make_exception_ptr(std::runtime_error("through"));
  REQUIRE_THROWS_WITH(plain.throw_into(error), "through");
  REQUIRE(log == Log{"a"});
}

TEST_CASE("fork_task throws where it gave false before", "[step07]") {
  Log log;
  Scheduler scheduler;
  const auto write_down = [&log](const std::exception& e) { log.push_back(e.what()); };
  scheduler.new_task(guarded(write_down, {say(log, "forks", fork_task()), say(log, "goes on")}));
  scheduler.run();
  REQUIRE(log == Log{"forks", "This coroutine cannot be copied", "goes on"});
  REQUIRE(scheduler.new_task(script({})) == 2);
}

TEST_CASE("fork_task copies the caller, the copy gets nothing and comes first", "[step07]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script(
      {say(log, "once", fork_task()), hear(log, "got ", get_task_id()), hear(log, "I am ")}));
  scheduler.run();
  REQUIRE(log == Log{"once", "got nothing", "got 2", "I am 2", "I am 1"});
}
