#include "process.hpp"

#include "any_catch2.hpp"
#include "script.hpp"

TEST_CASE("new_task returns the id and the child runs before its parent continues", "[step04]") {
  Log log;
  Scheduler scheduler;
  const SystemCall start_child = new_task(script({say(log, "child")}));
  scheduler.new_task(script({say(log, "parent", start_child), hear(log, "parent got ")}));
  scheduler.run();
  REQUIRE(log == Log{"parent", "child", "parent got 2"});
}

TEST_CASE("a child continues after the end of its parent", "[step04]") {
  Log log;
  Scheduler scheduler;
  const SystemCall start_child = new_task(script({say(log, "1"), say(log, "2"), say(log, "3")}));
  scheduler.new_task(script({say(log, "parent", start_child)}));
  scheduler.run();
  REQUIRE(log == Log{"parent", "1", "2", "3"});
}

TEST_CASE("a child can kill its parent", "[step04]") {
  Log log;
  Scheduler scheduler;
  const SystemCall start_child =
      new_task(script({say(log, "child", kill_task(1)), say(log, "child")}));
  scheduler.new_task(script({say(log, "parent", start_child), say(log, "never")}));
  scheduler.run();
  REQUIRE(log == Log{"parent", "child", "child"});
}

TEST_CASE("kill_task destroys a task that is in the queue before the killer continues",
          "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "killer", kill_task(2)), say(log, "killer continues")}));
  scheduler.new_task(script({hold(at_destruction(log, "destroyed")), say(log, "never")}));
  scheduler.run();
  REQUIRE(log == Log{"killer", "destroyed", "killer continues"});
}

TEST_CASE("kill_task destroys a task that waits for another task", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({hold(at_destruction(log, "destroyed")),
                             say(log, "waits", wait_task(3)), say(log, "never")}));
  scheduler.new_task(script({say(log, "k"), say(log, "kills", kill_task(1))}));
  scheduler.new_task(script({say(log, "1"), say(log, "2"), say(log, "3")}));
  scheduler.run();
  REQUIRE(log == Log{"k", "1", "waits", "kills", "destroyed", "2", "3"});
}

TEST_CASE("a task that kills itself does not continue", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({hold(at_destruction(log, "destroyed")),
                             say(log, "kills itself", kill_task(1)), say(log, "never")}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2"), say(log, "b3")}));
  scheduler.run();
  REQUIRE(log == Log{"b1", "kills itself", "destroyed", "b2", "b3"});
}

TEST_CASE("the id of a killed task is skipped when its turn comes", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "never")}));
  REQUIRE(scheduler.kill_task(1));
  REQUIRE_FALSE(scheduler.kill_task(1));
  scheduler.new_task(script({say(log, "b")}));
  scheduler.run();
  REQUIRE(log == Log{"b"});
}

TEST_CASE("wait_task continues when the task has finished and in the order of the waits",
          "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_task(3)), say(log, "a continues")}));
  scheduler.new_task(script({say(log, "b", wait_task(3)), say(log, "b continues")}));
  scheduler.new_task(script({say(log, "1"), say(log, "2")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "1", "2", "a continues", "b continues"});
}

TEST_CASE("wait_task continues when the task has been killed", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_task(2)), say(log, "a continues")}));
  scheduler.new_task(script({say(log, "b", kill_task(2))}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "a continues"});
}

TEST_CASE(
    "wait_task returns immediately for a finished task and a missing task and the task itself",
    "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({}));
  scheduler.new_task(script({say(log, "1", wait_task(1)), say(log, "500", wait_task(500)),
                             say(log, "itself", wait_task(2)), say(log, "the end")}));
  scheduler.run();
  REQUIRE(log == Log{"1", "500", "itself", "the end"});
}

TEST_CASE("run returns when two tasks wait for each other", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_task(2)), say(log, "never")}));
  scheduler.new_task(script({say(log, "b", wait_task(1)), say(log, "never")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b"});
  REQUIRE(scheduler.find(1) != nullptr);
  REQUIRE(scheduler.find(2) != nullptr);
}
