#include "scheduler.hpp"

#include <stdexcept>

#include "any_catch2.hpp"
#include "process.hpp"
#include "script.hpp"

TEST_CASE("a system call decides when its task goes on", "[step08]") {
  Log log;
  Scheduler scheduler;
  Task* sleeping = nullptr;
  const Yielded sleep = system_call([&](Task& task, Scheduler&) { sleeping = &task; });
  const Yielded wake = system_call([&](Task& task, Scheduler& s) {
    s.schedule(*sleeping);
    s.schedule(task);
  });
  scheduler.new_task(script({say(log, "sleeps", sleep), say(log, "woke")}));
  scheduler.new_task(script({say(log, "works"), say(log, "wakes", wake), say(log, "done")}));
  scheduler.run();
  REQUIRE(log == Log{"sleeps", "works", "wakes", "woke", "done"});
}

TEST_CASE("a task that no call schedules again stays, is named, and dies unrun", "[step08]") {
  Log log;
  {
    Scheduler scheduler;
    const Yielded forget = system_call([](Task&, Scheduler&) {});
    scheduler.new_task(script({say(log, "asks", forget), say(log, "never")}));
    scheduler.run();
    REQUIRE(scheduler.living_tasks() == std::vector<TaskId>{1});
  }
  REQUIRE(log == Log{"asks"});
}

TEST_CASE("a task is queued once, however often it is scheduled", "[step08]") {
  Log log;
  Scheduler scheduler;
  const Yielded twice = system_call([](Task& task, Scheduler& s) {
    s.schedule(task);
    s.schedule(task);
  });
  scheduler.new_task(script({say(log, "a1", twice), say(log, "a2"), say(log, "a3")}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2"), say(log, "b3")}));
  scheduler.run();
  REQUIRE(log == Log{"a1", "b1", "a2", "b2", "a3", "b3"});
}

TEST_CASE("a plain yield after a system call gives nothing", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "", get_task_id()), hear(log, ""), hear(log, "")}));
  scheduler.run();
  REQUIRE(log == Log{"", "1", "nothing"});
}

TEST_CASE("a body that ends right after a system call has one more turn", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", get_task_id()), [&](Value) -> std::optional<Yielded> {
                               log.push_back("end");
                               return std::nullopt;
                             }}));
  scheduler.new_task(script({say(log, "b")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "end"});
}

TEST_CASE("tasks that start tasks while running", "[step08]") {
  Log log;
  Scheduler scheduler;
  const auto leaf = [&](const char* name) { return new_task(script({say(log, name)})); };
  const Yielded branch =
      new_task(script({say(log, "branch", leaf("x")), say(log, "branch", leaf("y"))}));
  scheduler.new_task(script({say(log, "root", branch), say(log, "root", leaf("z"))}));
  scheduler.run();
  REQUIRE(log == Log{"root", "branch", "root", "x", "branch", "z", "y"});
}

TEST_CASE("a task that changes its body does not take an old answer along", "[step08]") {
  Log log;
  Task task(1, script({say(log, "old")}));
  task.run();
  task.set_send_value(std::string("for the old one"));
  task.exec(script({hear(log, "first: "), hear(log, "second: ")}));
  task.run();
  task.run();
  REQUIRE(log == Log{"old", "first: nothing", "second: nothing"});
}

TEST_CASE("living_tasks names those that have not ended, in the order of their ids", "[step08]") {
  Scheduler scheduler;
  for (int i = 0; i < 5; ++i) scheduler.new_task(script({}));
  scheduler.kill_task(3);
  REQUIRE(scheduler.living_tasks() == std::vector<TaskId>{1, 2, 4, 5});
  scheduler.run();
  REQUIRE(scheduler.living_tasks().empty());
}

TEST_CASE("a hundred thousand tasks run, and a hundred thousand are killed", "[step08]") {
  int turns = 0;
  Scheduler scheduler;
  const Script::Step count = [&](Value) -> std::optional<Yielded> {
    ++turns;
    return Nothing{};
  };
  for (int i = 0; i < 200000; ++i) scheduler.new_task(script({count, count}));
  for (TaskId id = 1; id <= 200000; id += 2) REQUIRE(scheduler.kill_task(id));
  scheduler.run();
  REQUIRE(turns == 200000);
  REQUIRE(scheduler.living_tasks().empty());
}
