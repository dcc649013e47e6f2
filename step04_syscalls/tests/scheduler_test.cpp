#include "scheduler.hpp"

#include <stdexcept>
#include <string>

#include "any_catch2.hpp"
#include "process.hpp"
#include "script.hpp"

TEST_CASE("a task loses no yield in its first turn", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a1"), say(log, "a2")}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2")}));
  scheduler.run();
  REQUIRE(log == Log{"a1", "b1", "a2", "b2"});
}

TEST_CASE("a task is found until it has finished", "[step04]") {
  Scheduler scheduler;
  REQUIRE(scheduler.new_task(script({})) == 1);
  REQUIRE(scheduler.find(1) != nullptr);
  REQUIRE(scheduler.find(2) == nullptr);
  scheduler.run();
  REQUIRE(scheduler.find(1) == nullptr);
  REQUIRE(scheduler.new_task(script({})) == 2);  // no id is used twice
}

TEST_CASE("a system call decides when its task continues", "[step04]") {
  Log log;
  Scheduler scheduler;
  TaskId sleeping = 0;
  const SystemCall sleep = [&](TaskId asker, Scheduler&) { sleeping = asker; };
  const SystemCall wake = [&](TaskId asker, Scheduler& s) {
    s.schedule(sleeping, std::string("woken"));
    s.schedule(asker);
  };
  scheduler.new_task(script({say(log, "sleeps", sleep), hear(log, "")}));
  scheduler.new_task(script({say(log, "works"), say(log, "wakes", wake), hear(log, "")}));
  scheduler.run();
  REQUIRE(log == Log{"sleeps", "works", "wakes", "woken", "nothing"});
}

TEST_CASE("a task that no system call schedules is destroyed with the scheduler", "[step04]") {
  Log log;
  {
    Scheduler scheduler;
    const SystemCall forget = [](TaskId, Scheduler&) {};
    scheduler.new_task(script({hold(at_destruction(log, "destroyed")),
                               say(log, "forgotten", forget), say(log, "never")}));
    scheduler.run();
    REQUIRE(scheduler.find(1) != nullptr);
    REQUIRE(log == Log{"forgotten"});
  }
  REQUIRE(log == Log{"forgotten", "destroyed"});
}

TEST_CASE("a plain yield after a system call returns nothing", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "asks", get_task_id()), hear(log, "got "), hear(log, "got ")}));
  scheduler.run();
  REQUIRE(log == Log{"asks", "got 1", "got nothing"});
}

TEST_CASE("a body that ends right after a system call takes one more turn", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", get_task_id()), [&](Value) -> std::optional<Yielded> {
                               log.push_back("a ends");
                               return std::nullopt;
                             }}));
  scheduler.new_task(script({say(log, "b")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "a ends"});
}

TEST_CASE("schedule does nothing when the task no longer exists", "[step04]") {
  Scheduler scheduler;
  scheduler.new_task(script({}));
  scheduler.run();
  scheduler.schedule(1);
  scheduler.schedule(500, std::string("for no task"));
  scheduler.run();
}

TEST_CASE("a hundred thousand tasks run to their ends and a hundred thousand are killed",
          "[step04]") {
  int turns = 0;
  Scheduler scheduler;
  const Script::Step turn = act([&] { ++turns; });
  for (int i = 0; i < 200000; ++i) scheduler.new_task(script({turn, turn}));
  for (TaskId id = 1; id <= 200000; id += 2) REQUIRE(scheduler.kill_task(id));
  scheduler.run();
  REQUIRE(turns == 200000);
}
