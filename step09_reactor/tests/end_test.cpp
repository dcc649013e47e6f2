#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "probe.hpp"

using namespace coop;

namespace {

/// What is nested in an error.
std::string nested_in(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::nested_exception& outer) {
    return text_of(outer.nested_ptr());
  } catch (...) {
    return "nothing";
  }
}

Coroutine<> clean_up(Log* out, Event* event, int turns) {
  co_await with_finally(until(event), say(out, "cleaned up", turns));
}

/// Its clean-up has a clean-up of its own.
Coroutine<> clean_up_twice(Log* out, Event* event) {
  co_await with_finally(until(event), with_finally(until(event), say(out, "closed", 3)));
}

Coroutine<> drop(Log* out, std::vector<Handle<void>>* handles) {
  co_await yield();
  handles->clear();
  out->push_back("dropped");
}

Coroutine<> end_program(std::exception_ptr error) {
  Scheduler::current().shutdown(error);
  co_return;
}

Coroutine<> throw_cancelled() {
  throw Cancelled("of itself");
  co_return;
}

Coroutine<> run_another(Log* out, Scheduler* other) {
  const Scheduler& mine = Scheduler::current();
  other->run(say(out, "in the other one"));
  out->push_back(&Scheduler::current() == &mine ? "mine again" : "not mine");
  co_return;
}

}  // namespace

TEST_CASE_METHOD(World, "an error that no handle can receive shuts down the scheduler",
                 "[step09]") {
  ManualEvent event;
  scheduler.spawn(report(&log, "waits", until(&event)));
  scheduler.spawn(fail("oh", 1));
  scheduler.spawn(report(&log, "ready", say(&log, "never", 100)));
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log == Log{"ready: cancelled: graceful shutdown", "waits: cancelled: graceful shutdown"});
}

TEST_CASE_METHOD(World, "run throws the error of the main task", "[step09]") {
  REQUIRE_THROWS_WITH(scheduler.run(fail("oh")), "oh");
  REQUIRE_THROWS_WITH(scheduler.run(fail("oh", 2)), "oh");
  REQUIRE(run(scheduler) == "nothing");
}

TEST_CASE_METHOD(World,
                 "an error is kept for a handle and is unhandled when the last handle is destroyed",
                 "[step09]") {
  std::vector<Handle<void>> handles;
  handles.push_back(scheduler.spawn(fail("oh")));
  handles.push_back(handles[0]);
  SECTION("while the program runs") {
    scheduler.spawn(drop(&log, &handles));
    scheduler.spawn(report(&log, "other", say(&log, "never", 9)));
    REQUIRE(run(scheduler) == "oh");
    REQUIRE(log == Log{"dropped", "other: cancelled: graceful shutdown"});
  }
  SECTION("after run()") {
    scheduler.on_unhandled(
        [this](const std::exception_ptr& error) { log.push_back("unhandled: " + text_of(error)); });
    REQUIRE(run(scheduler) == "nothing");
    handles.pop_back();
    REQUIRE(log.empty());
    handles.pop_back();
    REQUIRE(log == Log{"unhandled: oh"});
  }
}

TEST_CASE_METHOD(World, "an error that a task has awaited is handled", "[step09]") {
  {
    const Handle<void> task = scheduler.spawn(fail("oh"));
    scheduler.spawn(join(&log, "join", task));
    REQUIRE(run(scheduler) == "nothing");
  }
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"join: oh"});
}

TEST_CASE_METHOD(World, "the program continues after an unhandled error if there is a hook",
                 "[step09]") {
  scheduler.on_unhandled(
      [this](const std::exception_ptr& error) { log.push_back("unhandled: " + text_of(error)); });
  scheduler.spawn(fail("oh"));
  scheduler.spawn(say(&log, "other", 2));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"unhandled: oh", "other"});
}

TEST_CASE_METHOD(World, "an error of the hook for unhandled errors starts the shutdown",
                 "[step09]") {
  scheduler.on_unhandled([](const std::exception_ptr&) { throw std::logic_error("no"); });
  scheduler.spawn(fail("oh"));
  REQUIRE(run(scheduler) == "no");
}

TEST_CASE_METHOD(World, "a cancellation is never an unhandled error", "[step09]") {
  scheduler.on_unhandled([this](const std::exception_ptr&) { log.emplace_back("unhandled"); });
  scheduler.spawn(throw_cancelled());
  {
    const Handle<void> dropped = scheduler.spawn(throw_cancelled());
  }
  scheduler.spawn(say(&log, "never"))->cancel();
  REQUIRE_NOTHROW(scheduler.run(throw_cancelled()));
  REQUIRE(log.empty());
}

TEST_CASE_METHOD(World, "a shutdown cancels every task", "[step09]") {
  ManualEvent event;
  scheduler.spawn(report(&log, "waits", until(&event)));
  scheduler.spawn(end_program(nullptr));
  scheduler.spawn(say(&log, "never"));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"waits: cancelled: graceful shutdown"});
}

TEST_CASE_METHOD(World, "an error of the function of on_deadlock is the second error", "[step09]") {
  ManualEvent never;
  scheduler.on_deadlock([this](const std::string&) {
    log.push_back("report");
    throw std::runtime_error("oh");
  });
  scheduler.spawn(with_finally(until(&never), say(&log, "clean-up")));
  const std::exception_ptr error = error_of_run(scheduler);
  REQUIRE(text_of(error) == "oh");
  REQUIRE(nested_in(error) == "Deadlock detected: no active coroutines, 1 coroutines in waiting");
  REQUIRE(log == Log{"report", "clean-up"});
}

TEST_CASE_METHOD(World, "run throws the second error with the first error nested in it",
                 "[step09]") {
  ManualEvent event;
  scheduler.spawn(fail_when_cancelled(&event));
  scheduler.spawn(fail("first"));
  const std::exception_ptr error = error_of_run(scheduler);
  REQUIRE(text_of(error) == "clean-up");
  REQUIRE(nested_in(error) == "first");
}

TEST_CASE_METHOD(World, "a shutdown waits for the clean-up of each task", "[step09]") {
  ManualEvent event;
  scheduler.spawn(clean_up(&log, &event, 3));
  scheduler.spawn(fail("first"));
  REQUIRE(run(scheduler) == "first");
  REQUIRE(log == Log{"cleaned up"});
}

TEST_CASE_METHOD(World, "a clean-up that begins in a shutdown can wait for tasks of its own",
                 "[step09]") {
  ManualEvent never;
  const auto in_scope = [](Log* out) -> Coroutine<> {
    Scope scope;
    scope.spawn(with_timeout(std::chrono::seconds(1), say(out, "grandchild", 2)));
    co_await scope.join();
  };
  scheduler.spawn(with_finally(until(&never), in_scope(&log)));
  scheduler.spawn(fail("oh", 1));
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log == Log{"grandchild"});
}

TEST_CASE_METHOD(World, "a second error cancels the clean-ups of a shutdown", "[step09]") {
  ManualEvent event;
  scheduler.spawn(clean_up(&log, &event, 3));
  scheduler.spawn(fail("first"));
  scheduler.spawn(fail_when_cancelled(&event), Priority::high);
  REQUIRE(run(scheduler) == "clean-up");
  REQUIRE(log.empty());
}

TEST_CASE_METHOD(World, "run continues after a second error until all tasks have finished",
                 "[step09]") {
  ManualEvent event;
  scheduler.spawn(clean_up_twice(&log, &event));
  scheduler.spawn(fail_when_cancelled(&event));
  scheduler.spawn(fail("first"));
  REQUIRE(run(scheduler) == "clean-up");
  REQUIRE(log == Log{"closed"});
}

TEST_CASE_METHOD(World, "is_shutting_down is true from shutdown until run returns", "[step09]") {
  ManualEvent event;
  const auto look = [](Log* out) -> Coroutine<> {
    out->push_back(Scheduler::current().is_shutting_down() ? "yes" : "no");
    co_return;
  };
  scheduler.spawn(with_finally(until(&event), look(&log)));
  scheduler.spawn(look(&log));
  scheduler.spawn(fail("oh"));
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log == Log{"no", "yes"});
  REQUIRE_FALSE(scheduler.is_shutting_down());
}

TEST_CASE_METHOD(World, "a shutdown lifts protection", "[step09]") {
  ManualEvent event;
  const Handle<void> task = scheduler.spawn(report(&log, "task", protect(until(&event))));
  SECTION("of one that is not cancelled") {}
  SECTION("of one that is") {
    scheduler.spawn(cancel(&*task, "graceful shutdown"));
  }
  scheduler.spawn(fail("oh", 1));
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log == Log{"task: cancelled: graceful shutdown"});
}

TEST_CASE_METHOD(World, "a task cannot call run", "[step09]") {
  scheduler.spawn(report(&log, "task", []() -> Coroutine<> {
    Scheduler::current().run();
    co_return;
  }()));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"task: A task cannot call run()"});
}

TEST_CASE_METHOD(World, "a microtask that calls run waits until no task lives", "[step09]") {
  scheduler.spawn(say(&log, "task", 1));
  scheduler.defer([this] {
    log.push_back("microtask");
    scheduler.run();
    log.push_back("no task lives");
  });
  scheduler.run();
  REQUIRE(log == Log{"microtask", "task", "no task lives"});
}

TEST_CASE_METHOD(World, "this_task throws outside of run", "[step09]") {
  REQUIRE_THROWS_AS(Scheduler::current(), std::logic_error);
  REQUIRE_THROWS_AS(this_task(), std::logic_error);
  REQUIRE_THROWS_AS(spawn(say(&log, "")), std::logic_error);
  scheduler.run(say(&log, "run"));
  REQUIRE_THROWS_AS(Scheduler::current(), std::logic_error);
}

TEST_CASE_METHOD(World, "a task can run another scheduler", "[step09]") {
  Scheduler other(reactor);
  scheduler.run(run_another(&log, &other));
  REQUIRE(log == Log{"in the other one", "mine again"});
}
