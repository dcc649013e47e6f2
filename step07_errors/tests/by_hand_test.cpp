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
}
