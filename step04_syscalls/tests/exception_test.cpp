// How errors are told until step 7 changes it: by false, or by an exception that leaves run().

#include <any_catch2.hpp>
#include <stdexcept>
#include <vector>

#include "mailbox.hpp"
#include "process.hpp"
#include "script.hpp"

TEST_CASE("kill_task gives false for a finished, a killed and a missing task", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({}));
  scheduler.new_task(
      script({say(log, "", kill_task(1)), hear(log, "finished: ", kill_task(0)),
              hear(log, "0: ", kill_task(-1)), hear(log, "-1: ", kill_task(4)),
              hear(log, "4: ", kill_task(3)), hear(log, "3: ", kill_task(3)), hear(log, "3: ")}));
  scheduler.new_task(script(std::vector<Script::Step>(9, hold(nullptr))));
  scheduler.run();
  REQUIRE(log ==
          Log{"", "finished: false", "0: false", "-1: false", "4: false", "3: true", "3: false"});
}

TEST_CASE("wait_task wakes when the task is killed or throws", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_task(2)), hear(log, "a: ")}));
  SECTION("killed") {
    scheduler.new_task(script({say(log, "b", kill_task(2))}));
    scheduler.run();
  }
  SECTION("throws") {
    scheduler.new_task(script({say(log, "b"), [](Value) -> std::optional<Yielded> {
                                 throw std::runtime_error("from b");
                               }}));
    REQUIRE_THROWS_WITH(scheduler.run(), "from b");
    scheduler.run();
  }
  REQUIRE(log == Log{"a", "b", "a: true"});
}

TEST_CASE("wait_task does not wait for what is over, never was, or is oneself", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({}));
  scheduler.new_task(script({say(log, "", wait_task(1)), hear(log, "ended: ", wait_task(9)),
                             hear(log, "9: ", wait_task(0)), hear(log, "0: ", wait_task(2)),
                             hear(log, "self: ")}));
  scheduler.run();
  REQUIRE(log == Log{"", "ended: true", "9: false", "0: false", "self: false"});
}

TEST_CASE("an exception in a system call ends the caller and leaves run", "[step04]") {
  Log log;
  Scheduler scheduler;
  const SystemCall fails = [](Task&, Scheduler&) { throw std::runtime_error("from the call"); };
  const SystemCall schedules_and_fails = [](Task& task, Scheduler& s) {
    s.schedule(task);
    throw std::runtime_error("from the call");
  };
  SECTION("before it scheduled the task") {
    scheduler.new_task(script({say(log, "a", fails), say(log, "never")}));
  }
  SECTION("after it scheduled the task") {
    scheduler.new_task(script({say(log, "a", schedules_and_fails), say(log, "never")}));
  }
  scheduler.new_task(script({say(log, "b1"), say(log, "b2")}));
  REQUIRE_THROWS_WITH(scheduler.run(), "from the call");
  scheduler.run();
  REQUIRE(log == Log{"a", "b1", "b2"});
  REQUIRE(scheduler.living_tasks().empty());
}

TEST_CASE("an exception in a body ends its task, a second run goes on", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(
      script({hold(at_destruction(log, "destroyed")),
              [](Value) -> std::optional<Yielded> { throw std::logic_error("x"); }}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2")}));
  REQUIRE_THROWS_AS(scheduler.run(), std::logic_error);
  REQUIRE(log == Log{"b1", "destroyed"});
  scheduler.run();
  REQUIRE(log == Log{"b1", "destroyed", "b2"});
}

TEST_CASE("when a receiver throws, the other messages survive", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "a", receive_message()),
              [](Value) -> std::optional<Yielded> { throw std::runtime_error("from a"); }}),
      "a");
  scheduler.new_task(script({say(log, "b", receive_message()), hear(log, "b got ")}), "b");
  scheduler.send_message("a", std::string("x"));
  scheduler.send_message("b", std::string("y"));
  REQUIRE_THROWS_WITH(scheduler.run(), "from a");
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "b got y"});
}
