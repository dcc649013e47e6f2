// Facts that a later step changes: kill_task() returns false for a missing task, and an exception
// propagates out of run(). Both become exceptions in the task in step 7.

#include <optional>
#include <stdexcept>

#include "any_catch2.hpp"
#include "process.hpp"
#include "script.hpp"
#include "small_unix.hpp"

TEST_CASE("kill_task returns true or false when there is no such task", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({}));
  scheduler.new_task(script({say(log, "kills", kill_task(1)), hear(log, "finished: ", kill_task(3)),
                             hear(log, "3: ", kill_task(3)), hear(log, "3 again: ")}));
  scheduler.new_task(script({pass(), pass(), pass(), pass()}));
  scheduler.run();
  REQUIRE(log == Log{"kills", "finished: false", "3: true", "3 again: false"});
}

TEST_CASE("an exception in a body propagates out of run and a second run continues", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(
      script({[](Value) -> std::optional<Yielded> { throw std::runtime_error("from a"); }}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2")}));
  REQUIRE_THROWS_WITH(scheduler.run(), "from a");
  scheduler.run();
  REQUIRE(log == Log{"b1", "b2"});
}

TEST_CASE("an exception in a system call propagates out of run and its task does not continue",
          "[step04]") {
  Log log;
  Scheduler scheduler;
  const SystemCall fails = [](TaskId, Scheduler&) { throw std::runtime_error("from the call"); };
  scheduler.new_task(script({say(log, "a", fails), say(log, "never")}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2")}));
  REQUIRE_THROWS_WITH(scheduler.run(), "from the call");
  scheduler.run();
  REQUIRE(log == Log{"a", "b1", "b2"});
}

TEST_CASE("fork_task throws when the body has no clone function", "[step04]") {
  class Single final : public Coroutine {
    std::optional<Yielded> resume(Value) override { return fork_task(); }
  };
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Single>());
  REQUIRE_THROWS_WITH(scheduler.run(), "This coroutine cannot be copied");
}
