#include "scheduler.hpp"

#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "any_catch2.hpp"
#include "script.hpp"

namespace {

Coroutine<> two_turns(int* turns) {
  ++*turns;
  co_yield nothing;
  ++*turns;
}

Coroutine<> get_text(Log* log, SystemCall<std::string> call) {
  log->push_back("calls");
  std::string text = co_await call;
  log->push_back(text);
}

Coroutine<> get_owner(Log* log, SystemCall<std::shared_ptr<void>> call) {
  log->push_back("calls");
  const std::shared_ptr<void> owner = co_await call;
  log->push_back("never");
}

Coroutine<> call_and_yield(Log* log) {
  co_await get_task_id();
  log->push_back("yields");
  co_yield nothing;
  log->push_back("continues");
}

Coroutine<> do_call(Log* log, SystemCall<> call, std::shared_ptr<void>) {
  log->push_back("calls");
  co_await call;
  log->push_back("continues");
}

}  // namespace

TEST_CASE("tasks take turns in the order of the queue", "[step08]") {
  Log log;
  Scheduler scheduler;
  REQUIRE(scheduler.new_task(say(&log, {"a1", "a2"})) == 1);
  REQUIRE(scheduler.new_task(say(&log, {"b1", "b2"})) == 2);
  REQUIRE(log.empty());
  scheduler.run();
  REQUIRE(log == Log{"a1", "b1", "a2", "b2"});
}

TEST_CASE("a task is found until it has finished", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(say(&log, {}));
  REQUIRE(scheduler.find(1) != nullptr);
  REQUIRE(scheduler.find(2) == nullptr);
  scheduler.run();
  REQUIRE(scheduler.find(1) == nullptr);
  REQUIRE(scheduler.new_task(say(&log, {})) == 2);  // no id is used twice
}

TEST_CASE("schedule does nothing when the task no longer exists", "[step08]") {
  Scheduler scheduler;
  scheduler.new_task(act(0, [] {}));
  scheduler.run();
  scheduler.schedule(1);
  scheduler.schedule_exception(500, std::make_exception_ptr(std::runtime_error("for no task")));
  scheduler.run();
}

TEST_CASE("the id of a killed task is skipped when its turn comes", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(say(&log, {"never"}));
  REQUIRE(scheduler.kill_task(1));
  REQUIRE_FALSE(scheduler.kill_task(1));
  scheduler.new_task(say(&log, {"b"}));
  scheduler.run();
  REQUIRE(log == Log{"b"});
}

TEST_CASE("a hundred thousand tasks run to their ends and a hundred thousand are killed",
          "[step08]") {
  int turns = 0;
  Scheduler scheduler;
  for (int i = 0; i < 200000; ++i) scheduler.new_task(two_turns(&turns));
  for (TaskId id = 1; id <= 200000; id += 2) REQUIRE(scheduler.kill_task(id));
  scheduler.run();
  REQUIRE(turns == 200000);
}

TEST_CASE("a system call returns its typed answer when it schedules its task", "[step08]") {
  Log log;
  Scheduler scheduler;
  TaskId sleeping = 0;
  scheduler.new_task(get_text(&log, [&](TaskId asker, Scheduler&) {
    sleeping = asker;
    return std::string("woken");
  }));
  scheduler.new_task(act(2, [&] {
    log.push_back("wakes");
    scheduler.schedule(sleeping);
  }));
  scheduler.run();
  REQUIRE(log == Log{"calls", "wakes", "woken"});
}

TEST_CASE("a task that no system call schedules is destroyed with the scheduler", "[step08]") {
  Log log;
  {
    Scheduler scheduler;
    scheduler.new_task(do_call(&log, [](TaskId, Scheduler&) {}, at_destruction(&log, "destroyed")));
    scheduler.run();
    REQUIRE(scheduler.find(1) != nullptr);
    REQUIRE(log == Log{"calls"});
  }
  REQUIRE(log == Log{"calls", "destroyed"});
}

TEST_CASE("a system call that returns an answer can kill its task", "[step08]") {
  Log log;
  run(get_text(&log, [&](TaskId asker, Scheduler& scheduler) {
    REQUIRE(scheduler.kill_task(asker));
    return std::string("never");
  }));
  REQUIRE(log == Log{"calls"});
}

TEST_CASE("a system call that returns an answer can replace the body of its task", "[step08]") {
  Log log;
  run(get_text(&log, [&](TaskId asker, Scheduler& scheduler) {
    scheduler.find(asker)->exec(say(&log, {"other body"}).release());
    scheduler.schedule(asker);
    return std::string("never");
  }));
  REQUIRE(log == Log{"calls", "other body"});
}

TEST_CASE("an answer is destroyed when its system call has replaced the body of its task",
          "[step08]") {
  Log log;
  run(get_owner(&log, [&](TaskId asker, Scheduler& scheduler) {
    scheduler.find(asker)->exec(say(&log, {"other body"}).release());
    scheduler.schedule(asker);
    return at_destruction(&log, "the answer is destroyed");
  }));
  REQUIRE(log == Log{"calls", "the answer is destroyed", "other body"});
}

TEST_CASE("a yield after a system call only ends the turn", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(call_and_yield(&log));
  scheduler.new_task(say(&log, {"b1", "b2"}));
  scheduler.run();
  REQUIRE(log == Log{"b1", "yields", "b2", "continues"});
}

TEST_CASE("a system call can be performed once", "[step08]") {
  Log log;
  run([](Log* out) -> Coroutine<> {
    SystemCall<TaskId> call = get_task_id();
    const TaskId id = co_await call;
    out->push_back(std::to_string(id));
    try {
      const TaskId never = co_await call;
      out->push_back(std::to_string(never));
    } catch (const std::bad_function_call&) {
      out->push_back("refused");
    }
  }(&log));
  REQUIRE(log == Log{"1", "refused"});
}
