#include "process.hpp"

#include <string>
#include <utility>

#include "any_catch2.hpp"
#include "script.hpp"
#include "small_unix.hpp"

namespace {

Coroutine<> parent(Log* log, Coroutine<> child) {
  log->push_back("parent");
  const TaskId id = co_await new_task(std::move(child));
  log->push_back("parent got " + std::to_string(id));
}

Coroutine<> own_id(Log* log) {
  const TaskId id = co_await get_task_id();
  log->push_back("I am " + std::to_string(id));
}

Coroutine<> kill_itself(Log* log, std::shared_ptr<void>) {
  const TaskId id = co_await get_task_id();
  log->push_back("kills itself");
  co_await kill_task(id);
  log->push_back("never");
}

Coroutine<> waiting(Log* log, TaskId id, std::shared_ptr<void>) {
  co_await wait_task(id);
  log->push_back("never");
}

Coroutine<> exec(Log* log, Coroutine<> other, std::shared_ptr<void>) {
  log->push_back("old");
  co_await exec_task(std::move(other));
  log->push_back("never");
}

Coroutine<> wait_for_three(Log* log) {
  co_await wait_task(1);
  log->push_back("finished");
  co_await wait_task(500);
  log->push_back("missing");
  co_await wait_task(2);
  log->push_back("itself");
}

}  // namespace

TEST_CASE("get_task_id returns the id of the task that asks", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(own_id(&log));
  scheduler.new_task(own_id(&log));
  scheduler.run();
  REQUIRE(log == Log{"I am 1", "I am 2"});
}

TEST_CASE("new_task returns the id and the child runs before its parent continues", "[step08]") {
  Log log;
  run(parent(&log, say(&log, {"child", "child continues"})));
  REQUIRE(log == Log{"parent", "child", "parent got 2", "child continues"});
}

TEST_CASE("a child can kill its parent", "[step08]") {
  Log log;
  run(parent(&log, kill(&log, 0, 1)));
  REQUIRE(log == Log{"parent", "kills", "killer continues"});
}

TEST_CASE("kill_task destroys a task that waits before the killer continues", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(waiting(&log, 3, at_destruction(&log, "destroyed")));
  scheduler.new_task(kill(&log, 1, 1));
  scheduler.new_task(say(&log, {"1", "2", "3"}));
  scheduler.run();
  REQUIRE(log == Log{"1", "kills", "destroyed", "2", "killer continues", "3"});
}

TEST_CASE("kill_task destroys a task that has not run yet", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(kill(&log, 0, 2));
  scheduler.new_task(kill_itself(&log, at_destruction(&log, "destroyed")));
  scheduler.run();
  REQUIRE(log == Log{"kills", "destroyed", "killer continues"});
}

TEST_CASE("a task that kills itself does not continue", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(kill_itself(&log, at_destruction(&log, "destroyed")));
  scheduler.new_task(say(&log, {"b1", "b2", "b3"}));
  scheduler.run();
  REQUIRE(log == Log{"b1", "kills itself", "destroyed", "b2", "b3"});
}

TEST_CASE("wait_task continues when the task has finished and in the order of the waits",
          "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(wait(&log, "a", 3));
  scheduler.new_task(wait(&log, "b", 3));
  scheduler.new_task(say(&log, {"1", "2"}));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "b waits", "1", "2", "a continues", "b continues"});
}

TEST_CASE("wait_task continues when the task has been killed", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(wait(&log, "a", 3));
  scheduler.new_task(kill(&log, 0, 3));
  scheduler.new_task(say(&log, {"never"}));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "kills", "a continues", "killer continues"});
}

TEST_CASE(
    "wait_task returns immediately for a finished task and a missing task and the task itself",
    "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(say(&log, {}));
  scheduler.new_task(wait_for_three(&log));
  scheduler.run();
  REQUIRE(log == Log{"finished", "missing", "itself"});
}

TEST_CASE("run returns when two tasks wait for each other", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(wait(&log, "a", 2));
  scheduler.new_task(wait(&log, "b", 1));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "b waits"});
  REQUIRE(scheduler.find(1) != nullptr);
  REQUIRE(scheduler.find(2) != nullptr);
}

TEST_CASE("exec_task replaces the body and keeps the id and the waiting tasks", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(wait(&log, "a", 2));
  scheduler.new_task(exec(&log, own_id(&log), at_destruction(&log, "old is destroyed")));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "old", "old is destroyed", "I am 2", "a continues"});
}
