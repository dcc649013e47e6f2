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

Coroutine<> clean_up_badly(Event* event) {
  try {
    co_await wait(*event);
  } catch (const Cancelled&) {
    throw std::runtime_error("second");
  }
}

Coroutine<> clean_up(Log* out, Event* event, int turns) {
  co_await with_finally(until(event), say(out, "cleaned up", turns));
}

/// What it does after a shutdown has interrupted it, nobody shall interrupt.
Coroutine<> clean_up_protected(Log* out, Event* event) {
  try {
    co_await protect(until(event));
  } catch (const Cancelled&) {
    out->push_back("lifted");
  }
  co_await protect(say(out, "cleaned up", 2));
  co_await suspend();
}

Coroutine<> cancel_when_cancelled(Task* other, Event* event) {
  try {
    co_await wait(*event);
  } catch (const Cancelled&) {
    other->cancel("once more");
  }
}

Coroutine<> drop(Log* out, std::vector<Handle<void>>* handles) {
  co_await suspend();
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

TEST_CASE_METHOD(World, "an error that nobody can await ends the program", "[step09]") {
  ManualEvent event;
  scheduler.spawn(report(&log, "waits", until(&event)));
  scheduler.spawn(fail("oh", 1));
  scheduler.spawn(report(&log, "ready", say(&log, "never", 100)));
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log == Log{"ready: cancelled: graceful shutdown", "waits: cancelled: graceful shutdown"});
}

TEST_CASE_METHOD(World, "an error that leaves the first task comes out of run()", "[step09]") {
  REQUIRE_THROWS_WITH(scheduler.run(fail("oh")), "oh");
  REQUIRE_THROWS_WITH(scheduler.run(fail("oh", 2)), "oh");
  REQUIRE(run(scheduler) == "nothing");
}

TEST_CASE_METHOD(World, "the first task's error ends the program at once", "[step09]") {
  ManualEvent event;
  scheduler.spawn(report(&log, "waits", until(&event)));
  REQUIRE_THROWS_WITH(scheduler.run(fail("oh", 2)), "oh");
  REQUIRE(log == Log{"waits: cancelled: graceful shutdown"});
}

TEST_CASE_METHOD(World, "an error is kept for the handle, and unhandled when the last one goes",
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

TEST_CASE_METHOD(World, "an error that somebody has seen is handled", "[step09]") {
  {
    const Handle<void> task = scheduler.spawn(fail("oh"));
    scheduler.spawn(join(&log, "join", task));
    REQUIRE(run(scheduler) == "nothing");
  }
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"join: oh"});
}

TEST_CASE_METHOD(World, "who is told of unhandled errors decides: the program goes on",
                 "[step09]") {
  scheduler.on_unhandled(
      [this](const std::exception_ptr& error) { log.push_back("unhandled: " + text_of(error)); });
  scheduler.spawn(fail("oh"));
  scheduler.spawn(say(&log, "other", 2));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"unhandled: oh", "other"});
}

TEST_CASE_METHOD(World, "who is told of unhandled errors may throw: that ends the program",
                 "[step09]") {
  scheduler.on_unhandled([](const std::exception_ptr&) { throw std::logic_error("no"); });
  SECTION("at the end of a task") {
    scheduler.spawn(fail("oh"));
    scheduler.spawn(report(&log, "other", say(&log, "never", 2)));
    REQUIRE(run(scheduler) == "no");
    REQUIRE(log.empty());  // it was cancelled before its first turn
  }
  SECTION("when the last handle goes") {
    std::vector<Handle<void>> handles{scheduler.spawn(fail("oh"))};
    scheduler.spawn(drop(&log, &handles));
    REQUIRE(run(scheduler) == "no");
    REQUIRE(log == Log{"dropped"});
  }
}

TEST_CASE_METHOD(World, "a cancellation is never fatal", "[step09]") {
  scheduler.on_unhandled([this](const std::exception_ptr&) { log.emplace_back("unhandled"); });
  scheduler.spawn(throw_cancelled());
  {
    const Handle<void> dropped = scheduler.spawn(throw_cancelled());
  }
  scheduler.spawn(say(&log, "never"))->cancel();
  REQUIRE_NOTHROW(scheduler.run(throw_cancelled()));
  REQUIRE(log.empty());
}

TEST_CASE_METHOD(World, "a shutdown without an error cancels all, and run() returns", "[step09]") {
  ManualEvent event;
  scheduler.spawn(report(&log, "waits", until(&event)));
  scheduler.spawn(end_program(nullptr));
  scheduler.spawn(say(&log, "never"));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"waits: cancelled: graceful shutdown"});
}

TEST_CASE_METHOD(World, "a shutdown before run(): nothing runs", "[step09]") {
  scheduler.spawn(say(&log, "never"));
  scheduler.shutdown(failure("oh"));
  REQUIRE(scheduler.is_shutting_down());
  REQUIRE(run(scheduler) == "oh");
  REQUIRE_FALSE(scheduler.is_shutting_down());
  REQUIRE(log.empty());
}

TEST_CASE_METHOD(World, "a second error comes out, with the first one in it", "[step09]") {
  ManualEvent event;
  scheduler.spawn(clean_up_badly(&event));
  scheduler.spawn(fail("first"));
  const std::exception_ptr error = error_of_run(scheduler);
  REQUIRE(text_of(error) == "second");
  REQUIRE(nested_in(error) == "first");
}

TEST_CASE_METHOD(World, "a second error that says nothing comes out, too", "[step09]") {
  scheduler.shutdown(failure("first"));
  scheduler.shutdown(std::make_exception_ptr(2));
  const std::exception_ptr error = error_of_run(scheduler);
  REQUIRE(text_of(error) == "an exception");
  REQUIRE(nested_in(error) == "first");
}

TEST_CASE_METHOD(World, "a shutdown waits for the clean-up, a second error ends that, too",
                 "[step09]") {
  ManualEvent event;
  scheduler.spawn(clean_up(&log, &event, 3));
  SECTION("one error") {
    scheduler.spawn(fail("first"));
    REQUIRE(run(scheduler) == "first");
    REQUIRE(log == Log{"cleaned up"});
  }
  SECTION("two") {
    scheduler.spawn(fail("first"));
    scheduler.spawn(clean_up_badly(&event), Priority::high);
    REQUIRE(run(scheduler) == "second");
    REQUIRE(log.empty());
  }
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

TEST_CASE_METHOD(World, "after a shutdown has lifted protection, there may be another one",
                 "[step09]") {
  ManualEvent event;
  const Handle<void> task = scheduler.spawn(report(&log, "task", clean_up_protected(&log, &event)));
  scheduler.spawn(cancel_when_cancelled(&*task, &event));
  scheduler.spawn(fail("oh", 1));
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log == Log{"lifted", "cleaned up", "task: cancelled: once more"});
}

TEST_CASE_METHOD(World, "run() can be called again, and begins without errors", "[step09]") {
  scheduler.spawn(fail("oh"));
  REQUIRE(run(scheduler) == "oh");
  scheduler.spawn(say(&log, "again", 2));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"again"});
}

TEST_CASE_METHOD(World, "a task cannot call run()", "[step09]") {
  scheduler.spawn(report(&log, "task", []() -> Coroutine<> {
    Scheduler::current().run();
    co_return;
  }()));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"task: A task cannot call run()"});
}

TEST_CASE_METHOD(World, "outside of run() there is no current scheduler", "[step09]") {
  REQUIRE_THROWS_AS(Scheduler::current(), std::logic_error);
  REQUIRE_THROWS_AS(current_task(), std::logic_error);
  REQUIRE_THROWS_AS(spawn(say(&log, "")), std::logic_error);
  scheduler.run(say(&log, "run"));
  REQUIRE_THROWS_AS(Scheduler::current(), std::logic_error);
}

TEST_CASE_METHOD(World, "a task may run another scheduler, and then has its own again",
                 "[step09]") {
  Scheduler other(reactor);
  scheduler.run(run_another(&log, &other));
  REQUIRE(log == Log{"in the other one", "mine again"});
}
