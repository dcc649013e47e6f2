#include "process.hpp"

#include <any>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "any_catch2.hpp"
#include "script.hpp"

namespace {

using Ids = std::vector<TaskId>;

/// Writes the id of its task down at each turn. Asks for the id first, then yields `count` times.
auto counting(Ids& turns, TaskId expected, std::size_t count) {
  const auto turn = [&turns, expected](const Value&) -> std::optional<Yielded> {
    turns.push_back(expected);
    return Nothing{};
  };
  std::vector<Script::Step> steps(count + 1, turn);
  steps.front() = [turn](const Value& sent) -> std::optional<Yielded> {
    turn(sent);
    return get_task_id();
  };
  steps.push_back([turn](const Value& sent) -> std::optional<Yielded> {
    turn(sent);
    return std::nullopt;
  });
  if (count > 0) {
    steps[1] = [turn, expected](const Value& sent) -> std::optional<Yielded> {
      REQUIRE(std::any_cast<TaskId>(sent) == expected);
      return turn(sent);
    };
  }
  return script(std::move(steps));
}

/// The parent of the article: starts a child that never ends, and kills it in its third turn of
/// six.
auto parent(Ids& turns) {
  const auto then = [&turns](std::optional<Yielded> request) -> Script::Step {
    return [&turns, request](const Value&) {
      turns.push_back(1);
      return request;
    };
  };
  const auto start_child = [&turns](const Value&) -> std::optional<Yielded> {
    turns.push_back(1);
    return new_task(counting(turns, 2, 1000));
  };
  const Script::Step work = then(Nothing{});
  return script({then(get_task_id()), start_child, work, work, work, then(kill_task(2)), work, work,
                 work, then(std::nullopt)});
}

}  // namespace

TEST_CASE("task_ids takes the turns of the original", "[step08]") {
  Ids turns;
  Scheduler scheduler;
  scheduler.new_task(counting(turns, 1, 10));
  scheduler.new_task(counting(turns, 2, 5));
  scheduler.run();
  REQUIRE(turns == Ids{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1});
}

TEST_CASE("parent_child takes the turns of the original, and nothing is left", "[step08]") {
  Ids turns;
  Scheduler scheduler;
  scheduler.new_task(parent(turns));
  scheduler.run();
  REQUIRE(turns == Ids{1, 1, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1});
  REQUIRE(scheduler.living_tasks().empty());
}

TEST_CASE("new_task gives the id, and the child's first turn comes first", "[step08]") {
  Log log;
  Scheduler scheduler;
  const Yielded child = new_task(script({say(log, "child")}));
  scheduler.new_task(script({say(log, "parent", child), hear(log, "parent got ")}));
  scheduler.run();
  REQUIRE(log == Log{"parent", "child", "parent got 2"});
}

TEST_CASE("a parent's end does not end its child", "[step08]") {
  Log log;
  Scheduler scheduler;
  const Yielded child = new_task(script({say(log, "c1"), say(log, "c2"), say(log, "c3")}));
  scheduler.new_task(script({say(log, "parent", child)}));
  scheduler.run();
  REQUIRE(log == Log{"parent", "c1", "c2", "c3"});
}

TEST_CASE("a child can kill its parent", "[step08]") {
  Log log;
  Scheduler scheduler;
  const Yielded child = new_task(script({say(log, "child", kill_task(1)), hear(log, "killed ")}));
  scheduler.new_task(script({say(log, "parent", child), say(log, "parent again")}));
  scheduler.run();
  REQUIRE(log == Log{"parent", "child", "killed true"});
}

TEST_CASE("kill_task ends a ready task before it returns", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "killer", kill_task(2)), hear(log, "killed ")}));
  scheduler.new_task(script({hold(at_destruction(log, "destroyed")), say(log, "victim")}));
  scheduler.run();
  REQUIRE(log == Log{"killer", "destroyed", "killed true"});
}

TEST_CASE("kill_task ends a task that has had turns", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "v1"), say(log, "v2")}));
  scheduler.new_task(script({say(log, "killer", kill_task(1)), hear(log, "killed ")}));
  scheduler.run();
  REQUIRE(log == Log{"v1", "killer", "killed true"});
}

TEST_CASE("a task that kills itself ends there", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({hold(at_destruction(log, "destroyed")),
                             say(log, "before", kill_task(1)), say(log, "after")}));
  scheduler.new_task(script({say(log, "other 1"), say(log, "other 2")}));
  scheduler.run();
  REQUIRE(log == Log{"other 1", "before", "destroyed", "other 2"});
}

TEST_CASE("kill_task ends a task that waits for another, which goes on", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "waiter", wait_task(3)), say(log, "waiter woke")}));
  scheduler.new_task(script({say(log, "killer", kill_task(1)), hear(log, "killed ")}));
  scheduler.new_task(script({say(log, "w1"), say(log, "w2"), say(log, "w3")}));
  scheduler.run();
  REQUIRE(log == Log{"waiter", "killer", "w1", "killed true", "w2", "w3"});
  REQUIRE(scheduler.living_tasks().empty());
}

TEST_CASE("the scheduler kills from outside as well", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({hold(at_destruction(log, "destroyed"))}));
  REQUIRE(scheduler.kill_task(1));
  REQUIRE(log == Log{"destroyed"});
  REQUIRE_FALSE(scheduler.kill_task(1));
  scheduler.run();
}

TEST_CASE("a frame that kills another task while it is destroyed does no harm", "[step08]") {
  Log log;
  Scheduler scheduler;
  const auto kill_2 = [&](void*) { log.push_back(scheduler.kill_task(2) ? "killed 2" : "no 2"); };
  scheduler.new_task(script({hold(std::shared_ptr<void>(nullptr, kill_2))}));
  scheduler.new_task(script({hold(at_destruction(log, "2 destroyed"))}));
  REQUIRE(scheduler.kill_task(1));
  REQUIRE(log == Log{"2 destroyed", "killed 2"});
  scheduler.run();
}

TEST_CASE("frames may call the scheduler while it is destroyed, which goes by id", "[step08]") {
  Log log;
  {
    Scheduler scheduler;
    const auto kill_2 = [&](void*) {
      log.push_back("1");
      scheduler.kill_task(2);
      scheduler.new_task(script({hold(at_destruction(log, "late"))}));
      scheduler.send_message("x", 1);
    };
    scheduler.new_task(script({hold(std::shared_ptr<void>(nullptr, kill_2))}), "x");
    scheduler.new_task(script({hold(at_destruction(log, "2"))}));
    scheduler.new_task(script({hold(at_destruction(log, "3"))}));
  }
  REQUIRE(log == Log{"1", "2", "3", "late"});
}

TEST_CASE("a task without a coroutine is an error at once", "[step08]") {
  Scheduler scheduler;
  REQUIRE_THROWS_AS(scheduler.new_task(no_coroutine()), std::invalid_argument);
  REQUIRE_THROWS_AS(Task(1, script({})).exec(no_coroutine()), std::invalid_argument);
  REQUIRE(scheduler.new_task(script({})) == 1);
}

TEST_CASE("a task and a scheduler cannot be copied by a system call that forgets an &",
          "[step08]") {
  STATIC_REQUIRE_FALSE(std::is_copy_constructible<Task>::value);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible<Scheduler>::value);
}

TEST_CASE("wait_task gives true when the task ends, first come, first woken", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_task(3)), hear(log, "a: ")}));
  scheduler.new_task(script({say(log, "b", wait_task(3)), hear(log, "b: ")}));
  scheduler.new_task(script({say(log, "c1"), say(log, "c2")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "c1", "c2", "a: true", "b: true"});
}

TEST_CASE("wait_task gives true at once for a task that has ended", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({}));
  scheduler.new_task(script({say(log, "", wait_task(1)), hear(log, "ended: ")}));
  scheduler.run();
  REQUIRE(log == Log{"", "ended: true"});
}

TEST_CASE("wait_task wakes when the task is killed", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_task(2)), hear(log, "a: ")}));
  scheduler.new_task(script({say(log, "b", kill_task(2))}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "a: true"});
}

TEST_CASE("two tasks that wait for each other stay, run returns and names them", "[step08]") {
  Log log;
  {
    Scheduler scheduler;
    scheduler.new_task(script({say(log, "a", wait_task(2)), hold(at_destruction(log, "gone"))}));
    scheduler.new_task(script({say(log, "b", wait_task(1))}));
    scheduler.new_task(script({say(log, "c")}));
    scheduler.run();
    REQUIRE(scheduler.living_tasks() == Ids{1, 2});
    REQUIRE(log == Log{"a", "b", "c"});
  }
  REQUIRE(log == Log{"a", "b", "c", "gone"});
}

TEST_CASE("exec_task changes the body and keeps the id", "[step08]") {
  Log log;
  Scheduler scheduler;
  const Yielded other = exec_task(script({say(log, "new", get_task_id()), hear(log, "id ")}));
  scheduler.new_task(
      script({hold(at_destruction(log, "old gone")), say(log, "old", other), say(log, "never")}));
  scheduler.new_task(script({say(log, "other 1"), say(log, "other 2"), say(log, "other 3")}));
  scheduler.run();
  REQUIRE(log == Log{"other 1", "old", "old gone", "other 2", "new", "other 3", "id 1"});
}

TEST_CASE("who waits for a task waits through its exec_task", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_task(2)), hear(log, "a: ")}));
  scheduler.new_task(script({say(log, "b", exec_task(script({say(log, "c"), say(log, "d")})))}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "c", "d", "a: true"});
}
