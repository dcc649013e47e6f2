#include "coop/scope.hpp"

#include <algorithm>
#include <ctime>
#include <limits>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "coop/all_of.hpp"
#include "probe.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

/// Uses an object of its owner until its frame is destroyed.
Coroutine<> use(Log* out, std::string name, int* target, Event* event) {
  const std::shared_ptr<void> end = at_end([out, name, target] {
    --*target;
    out->push_back(name);
  });
  ++*target;
  co_await never_end(event);
}

Coroutine<> clean_up_slowly(Log* out, Event* event) {
  try {
    co_await *event;
  } catch (const Cancelled& cancelled) {
    out->push_back("child: " + cancelled.reason());
  }
  co_await yield();
  out->push_back("child ends");
}

Coroutine<> own(Log* out, std::vector<Coroutine<>>* bodies) {
  Scope scope;
  for (Coroutine<>& body : *bodies) scope.spawn(std::move(body));
  co_await scope.join();
  out->push_back("joined");
}

/// An exception between the spawn and the join.
Coroutine<> throw_before_join(Log* out, Event* event, bool lets_them_start) {
  int target = 0;
  Scope scope;
  scope.spawn(use(out, "1", &target, event));
  scope.spawn(use(out, "2", &target, event));
  if (lets_them_start) {
    co_await yield();
    scope.spawn(use(out, "never", &target, event));
  }
  throw std::runtime_error("too early");
}

Coroutine<> own_stubborn(Log* out, Event* event) {
  int target = 0;
  Scope scope;
  scope.spawn(use(out, "child", &target, event));
  co_await scope.join();
}

enum class Ending { returns, joins, throws };

/// A task of its scope has failed.
Coroutine<> drop_failed(Ending how) {
  Scope scope;
  scope.spawn(fail("lost"));
  co_await yield();
  if (how == Ending::joins) {
    co_await scope.join();
  }
  if (how == Ending::throws) throw std::runtime_error("oh");
}

Coroutine<> spawn_and_cancel(Scope* scope, Log* out, Event* never) {
  scope->spawn(clean_up_slowly(out, never));
  co_await yield();
  scope->cancel("enough");
}

Coroutine<int> value_of(const int* number) {
  co_await yield();
  co_return *number;
}

}  // namespace

struct Scopes : World {
  /// Runs a task with a scope for these bodies, and logs how it ended.
  template <typename... Bodies>
  Handle<void> start(Bodies... bodies) {
    (children.push_back(std::move(bodies)), ...);
    return scheduler.spawn(report(&log, "owner", own(&log, &children)));
  }

  std::vector<Coroutine<>> children;
  ManualEvent never;
};

TEST_CASE_METHOD(Scopes, "join waits for all tasks of a scope", "[step09]") {
  start(say(&log, "slow", 3), say(&log, "fast"));
  scheduler.run();
  REQUIRE(log == Log{"fast", "slow", "joined", "owner: done"});
}

TEST_CASE_METHOD(Scopes, "an error in a scope cancels the others and is thrown at their end",
                 "[step09]") {
  start(clean_up_slowly(&log, &never), fail("first", 1), fail("second", 2));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"child: another failed", "child ends", "owner: first"});
}

TEST_CASE_METHOD(Scopes, "the first error in a scope is thrown although another one follows",
                 "[step09]") {
  start(fail_when_cancelled(&never), fail("first", 1));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"owner: first"});
}

TEST_CASE_METHOD(Scopes, "a task of a scope that is cancelled has not failed", "[step09]") {
  start(until(&never), say(&log, "other", 4));
  REQUIRE(run_turns(scheduler, 2));
  scheduler.task(2).cancel();
  scheduler.run();
  REQUIRE(log == Log{"other", "joined", "owner: done"});
}

TEST_CASE_METHOD(Scopes, "a task of a scope that ends by the cancellation of another has failed",
                 "[step09]") {
  const Handle<void> other = scheduler.spawn(until(&never));
  start([](Handle<void> task) -> Coroutine<> { co_await task; }(other));
  other->cancel();
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"owner: A task has ended by the cancellation of another one"});
}

TEST_CASE_METHOD(Scopes, "a scope asks its tasks to end once", "[step09]") {
  SECTION("although it is cancelled twice") {
    scheduler.run([](Log* out, Event* event) -> Coroutine<> {
      Scope scope;
      scope.spawn(end_slowly(out, event));
      co_await yield();
      scope.cancel("why");
      co_await yield();
      scope.cancel("again");
      co_await scope.join();
    }(&log, &never));
  }
  SECTION("although its owner is cancelled twice") {
    const Handle<void> owner = start(end_slowly(&log, &never));
    scheduler.spawn(cancel(&*owner, "why", 1));
    scheduler.run(cancel(&*owner, "again", 3));
  }
  SECTION("although a second deadline passes") {
    auto late = with_timeout(1ms, end_slowly(&log, &never));
    scheduler.run(report(&log, "owner", with_timeout(2ms, std::move(late))));
    REQUIRE(log[0] == "body: cancelled: timed out");
  }
  REQUIRE(log[1] == "clean-up: done");
}

TEST_CASE_METHOD(Scopes, "each join throws the error of a scope until a task is spawned again",
                 "[step09]") {
  const auto wait = [](Scope* scope) -> Coroutine<> { co_await scope->join(); };
  scheduler.run([](Log* out, auto* join_it) -> Coroutine<> {
    Scope scope;
    scope.spawn(fail("oh", 1));
    co_await all_of(report(out, "a", (*join_it)(&scope)), report(out, "b", (*join_it)(&scope)));
    co_await report(out, "again", scope.join());
    scope.spawn(say(out, "another"));
    co_await report(out, "then", scope.join());
  }(&log, &wait));
  REQUIRE(log == Log{"a: oh", "b: oh", "again: oh", "another", "then: done"});
}

TEST_CASE_METHOD(Scopes, "a scope whose owner is cancelled cancels its tasks and awaits them",
                 "[step09]") {
  const Handle<void> owner = start(clean_up_slowly(&log, &never));
  scheduler.spawn(cancel(&*owner, "why", 1));
  scheduler.run();
  REQUIRE(log == Log{"child: why", "child ends", "owner: cancelled: why"});
}

TEST_CASE_METHOD(Scopes, "a scope awaits its tasks in a shutdown", "[step09]") {
  start(clean_up_slowly(&log, &never));
  SECTION("after an error") {
    scheduler.spawn(fail("oh", 1));
    REQUIRE(run(scheduler) == "oh");
    REQUIRE(log[1] == "child ends");
    REQUIRE(log[2] == "owner: cancelled: graceful shutdown");
  }
  SECTION("after a deadlock") {
    scheduler.on_deadlock([](const std::string&) {});
    REQUIRE(run(scheduler).substr(0, 8) == "Deadlock");
    REQUIRE(log[1] == "child ends");
    REQUIRE(log[2] == "owner: cancelled: Deadlock detected");
  }
}

TEST_CASE_METHOD(Scopes, "a scope destroys its tasks when it is destroyed", "[step09]") {
  SECTION("last spawned first") {
    scheduler.run(report(&log, "owner", throw_before_join(&log, &never, true)));
    REQUIRE(log == Log{"2", "1", "owner: too early"});
  }
  SECTION("before they have started") {
    scheduler.run(report(&log, "owner", throw_before_join(&log, &never, false)));
    REQUIRE(log == Log{"owner: too early"});
  }
  REQUIRE_FALSE(never.is_awaited());
}

TEST_CASE_METHOD(Scopes, "a task that does not end is destroyed before the owner of its scope",
                 "[step09]") {
  scheduler.on_deadlock([](const std::string&) {});
  scheduler.spawn(own_stubborn(&log, &never));
  REQUIRE(run(scheduler).substr(0, 8) == "Deadlock");
  REQUIRE(log == Log{"child"});
}

TEST_CASE_METHOD(Scopes, "a scope that is cancelled starts no task until it has been joined",
                 "[step09]") {
  const auto body = [](Log* out) -> Coroutine<> {
    Scope scope;
    scope.cancel("closed");
    scope.spawn(say(out, "never"));
    co_await scope.join();
    scope.spawn(say(out, "after"));
    co_await scope.join();
  };
  scheduler.run(body(&log));
  REQUIRE(log == Log{"after"});
}

TEST_CASE_METHOD(Scopes, "a scope does not grow with the number of finished tasks", "[step09]") {
  std::size_t grown = 1;
  const auto body = [](std::size_t* result) -> Coroutine<> {
    Scope scope;
    std::size_t before = 0;
    for (int i = 0; i < 1000; ++i) {
      scope.spawn(give(i));
      co_await yield();
      if (i == 0) before = detail::pool_statistics().in_use;
    }
    *result = detail::pool_statistics().in_use - before;
    co_await scope.join();
  };
  scheduler.run(body(&grown));
  REQUIRE(grown == 0);
}

TEST_CASE_METHOD(Scopes, "an error of a scope that is not joined is unhandled", "[step09]") {
  REQUIRE_THROWS_WITH(scheduler.run(drop_failed(Ending::returns)), "lost");
  scheduler.on_unhandled([this](const std::exception_ptr&) { log.push_back("unhandled"); });
  scheduler.run(report(&log, "joined", drop_failed(Ending::joins)));
  scheduler.run(report(&log, "another error", drop_failed(Ending::throws)));
  REQUIRE(log == Log{"joined: lost", "another error: oh"});
}

TEST_CASE_METHOD(Scopes,
                 "a task that a destructor spawns into a scope that is destroyed never runs",
                 "[step09]") {
  const auto close_later = [](Log* out, Scope* scope, Event* event) -> Coroutine<> {
    const std::shared_ptr<void> end = at_end([=] { scope->spawn(say(out, "never")); });
    co_await *event;
  };
  const auto body = [&](Scope* scope) { return close_later(&log, scope, &never); };
  scheduler.run([](auto* child, Log* out) -> Coroutine<> {
    {
      Scope scope;
      scope.spawn((*child)(&scope));
      co_await yield();
    }
    co_await yield();
    out->push_back("end");
  }(&body, &log));
  REQUIRE(log == Log{"end"});
}

TEST_CASE_METHOD(Scopes, "a task cannot join the scope that it runs in", "[step09]") {
  const auto join_own = [](Scope* scope) -> Coroutine<> { co_await scope->join(); };
  scheduler.run([](Log* out, auto* child) -> Coroutine<> {
    Scope scope;
    scope.spawn(report(out, "child", (*child)(&scope)));
    co_await scope.join();
    out->push_back("joined");
  }(&log, &join_own));
  REQUIRE(log == Log{"child: A task cannot join the scope that it runs in", "joined"});
}

TEST_CASE_METHOD(Scopes, "a cancellation is not lost if a task of the scope fails in its clean-up",
                 "[step09]") {
  const auto retry = [](Log* out, Event* event, Coroutine<> (*batch)(Event*)) -> Coroutine<> {
    for (int i = 0; i < 2; ++i) {
      co_await report(out, "batch", batch(event));
      co_await report(out, "pause", sleep(1ms));
    }
  };
  const auto in_scope = [](Event* event) -> Coroutine<> {
    Scope scope;
    scope.spawn(fail_when_cancelled(event));
    co_await scope.join();
  };
  const auto in_timeout = [](Event* event) -> Coroutine<> {
    co_await with_timeout(1h, fail_when_cancelled(event));
  };
  const auto in_any_of = [](Event* event) -> Coroutine<> {
    co_await any_of(fail_when_cancelled(event), until(event));
  };
  for (Coroutine<> (*batch)(Event*) : {+in_scope, +in_timeout, +in_any_of}) {
    log.clear();
    const Handle<void> task = scheduler.spawn(retry(&log, &never, batch));
    scheduler.spawn(cancel(&*task, "why", 3));
    scheduler.spawn([](Task* target) -> Coroutine<> {
      co_await sleep(5ms);
      target->cancel("end");
    }(&*task));
    scheduler.run();
    CHECK(log == Log{"batch: clean-up", "pause: cancelled: why", "batch: clean-up",
                     "pause: cancelled: end"});
  }
}

namespace {

enum class Body { returns, throws, waits };

/// Two children, and a body that ends in one of three ways.
Coroutine<int> spawn_two(Scope* scope, Log* out, Event* event, Body ends) {
  const Living living;
  scope->spawn(clean_up_slowly(out, event));
  scope->spawn(say(out, "short", 2));
  co_await yield();
  if (ends == Body::throws) throw std::runtime_error("too early");
  if (ends == Body::waits) {
    co_await report(out, "body", until(event));
  }
  co_return 7;
}

}  // namespace

TEST_CASE_METHOD(Scopes, "with_scope returns the result of its body when all tasks have finished",
                 "[step09]") {
  const auto body = [&](Scope* scope) { return spawn_two(scope, &log, &never, Body::returns); };
  scheduler.spawn(log_number(&log, with_scope(body)));
  scheduler.spawn([](ManualEvent* event) -> Coroutine<> {
    co_await sleep(1ms);
    event->set();
  }(&never));
  scheduler.run();
  REQUIRE(log == Log{"short", "child ends", "7"});
}

TEST_CASE_METHOD(Scopes, "with_scope cancels its tasks and awaits them when its body throws",
                 "[step09]") {
  const auto body = [&](Scope* scope) { return spawn_two(scope, &log, &never, Body::throws); };
  scheduler.run(report(&log, "owner", log_number(&log, with_scope(body))));
  REQUIRE(log == Log{"child: another failed", "child ends", "owner: too early"});
}

TEST_CASE_METHOD(Scopes, "with_scope cancels its body when a task fails", "[step09]") {
  const auto body = [&](Scope* scope) {
    scope->spawn(fail("oh", 4));
    return spawn_two(scope, &log, &never, Body::waits);
  };
  scheduler.run(report(&log, "owner", log_number(&log, with_scope(body))));
  REQUIRE(log == Log{"short", "body: cancelled: another failed", "child: another failed",
                     "child ends", "owner: oh"});
}

TEST_CASE_METHOD(Scopes, "with_scope whose caller is cancelled cancels its body and its tasks",
                 "[step09]") {
  const auto body = [&](Scope* scope) { return spawn_two(scope, &log, &never, Body::waits); };
  const Handle<void> owner =
      scheduler.spawn(report(&log, "owner", log_number(&log, with_scope(body))));
  scheduler.spawn(cancel(&*owner, "why", 6));
  scheduler.run();
  REQUIRE(log == Log{"short", "body: cancelled: why", "child: why", "child ends",
                     "owner: cancelled: why"});
}

TEST_CASE_METHOD(Scopes, "the body of with_scope may cancel its tasks and return", "[step09]") {
  const auto body = [&](Scope* scope) { return spawn_and_cancel(scope, &log, &never); };
  scheduler.run(report(&log, "owner", with_scope(body)));
  REQUIRE(log == Log{"child: enough", "child ends", "owner: done"});
}

TEST_CASE_METHOD(Scopes, "with_scope throws Cancelled if a task of it cancels the body",
                 "[step09]") {
  const auto cancel_all = [](Scope* scope) -> Coroutine<> {
    co_await yield();
    scope->cancel("enough");
  };
  const auto body = [&](Scope* scope) {
    scope->spawn(cancel_all(scope));
    return until(&never);
  };
  scheduler.run(report(&log, "owner", with_scope(body)));
  REQUIRE(log == Log{"owner: cancelled: enough"});
}

TEST_CASE_METHOD(Scopes, "with_scope keeps a lambda until its body has finished", "[step09]") {
  std::vector<Coroutine<int>> bodies;
  int target = 3;
  {
    const auto number = std::make_shared<int>(4);
    const auto owns = [number](Scope*) { return value_of(&*number); };
    bodies.push_back(with_scope(owns));
    bodies.push_back(with_scope([&target](Scope*) { return value_of(&target); }));
    static_assert(!SafeCallable<decltype(owns)>);  // so it cannot be a temporary
  }
  for (Coroutine<int>& body : bodies) scheduler.run(log_number(&log, std::move(body)));
  REQUIRE(log == Log{"4", "3"});
}

namespace {

Coroutine<> busy() {
  for (;;) {
    co_await yield();
  }
}

Coroutine<> own_busy() {
  Scope scope;
  scope.spawn(busy());
  co_await scope.join();
}

/// Returns the CPU time for destroying a scope with so many tasks, each with a scope of its own.
Coroutine<std::clock_t> time_to_destroy(int count) {
  std::clock_t start = 0;
  {
    Scope scope;
    for (int i = 0; i < count; ++i) scope.spawn(own_busy());
    co_await yield();
    co_await yield();
    start = std::clock();
  }
  co_return std::clock() - start;
}

/// Returns the least CPU time of five, because the caches are not always our own.
std::clock_t least_time_to_destroy(Scheduler* scheduler, int count) {
  std::clock_t least = std::numeric_limits<std::clock_t>::max();
  for (int i = 0; i < 5; ++i) least = std::min(least, scheduler->run(time_to_destroy(count)));
  return least;
}

}  // namespace

TEST_CASE_METHOD(Scopes,
                 "destroying ten times as many tasks that are ready takes ten times as long",
                 "[step09]") {
  const std::clock_t few = least_time_to_destroy(&scheduler, 2000);
  const std::clock_t many = least_time_to_destroy(&scheduler, 20000);
  REQUIRE(many < 40 * few);
}

TEST_CASE_METHOD(Scopes, "tasks that are destroyed leave room in the queue for others",
                 "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    std::vector<Handle<void>> others;
    for (int i = 0; i < 100; ++i) {
      {
        Scope scope;
        for (int n = 0; n < 100; ++n) scope.spawn(busy());
      }
      others.push_back(spawn(say(out, std::to_string(i))));
    }
    for (const Handle<void>& each : others) {
      co_await each;
    }
  }(&log));
  REQUIRE(log.size() == 100);
  REQUIRE(log.back() == "99");
}
