// Tasks that do not end when they are asked to.

#include <optional>
#include <stdexcept>
#include <string>

#include "probe.hpp"

using namespace coop;

namespace {

/// Catches every cancellation, and waits again.
Coroutine<> never_end(Event* event) {
  const Living living;
  for (;;) {
    try {
      co_await wait(*event);
    } catch (const Cancelled&) {
    }
  }
}

/// Does something when its frame is destroyed.
template <typename Function>
class AtEnd {
 public:
  explicit AtEnd(Function function) : function_(std::move(function)) {}
  AtEnd(const AtEnd&) = delete;
  ~AtEnd() { function_(); }

 private:
  Function function_;
};

template <typename Function>
Coroutine<> never_end_and_then(Event* event, Function function) {
  const AtEnd at_end(std::move(function));
  co_await never_end(event);
}

Coroutine<> wait_twice(Log* out, Event* event) {
  co_await with_finally(until(event), report(out, "clean-up", until(event)));
}

}  // namespace

struct Stubborn : World {
  Stubborn() {
    scheduler.on_deadlock([this](const std::string&) { log.push_back("deadlock"); });
  }
  ManualEvent never;
};

TEST_CASE_METHOD(Stubborn, "a task that catches every cancellation is destroyed in the end",
                 "[step09]") {
  scheduler.spawn(never_end(&never));
  scheduler.spawn(never_end(&never));
  REQUIRE(run(scheduler) == "Deadlock detected: no active coroutines, 2 coroutines in waiting");
  REQUIRE(log == Log{"deadlock", "deadlock"});
  REQUIRE(Living::count == 0);
}

TEST_CASE_METHOD(Stubborn, "whoever joins a task that was destroyed hears of it", "[step09]") {
  const Handle<void> task = scheduler.spawn(never_end(&never));
  run(scheduler);
  REQUIRE(task->is_finished());
  REQUIRE(run(scheduler) == "nothing");
  log.clear();
  scheduler.run(join(&log, "it", task));
  REQUIRE(log == Log{"it: cancelled: graceful shutdown"});
}

TEST_CASE_METHOD(Stubborn, "a clean-up that waits for good is told before", "[step09]") {
  scheduler.spawn(wait_twice(&log, &never));
  run(scheduler);
  REQUIRE(log == Log{"deadlock", "deadlock", "clean-up: cancelled: graceful shutdown"});
}

TEST_CASE_METHOD(Stubborn, "what a task does while it is destroyed comes too late for the others",
                 "[step09]") {
  std::optional<Handle<void>> second;
  ManualEvent other;
  scheduler.spawn(never_end_and_then(&never, [&] {
    other.set();
    (*second)->cancel();
    log.push_back((*second)->is_finished() ? "finished" : "living");
  }));
  second = scheduler.spawn(never_end(&other));
  run(scheduler);
  REQUIRE(log == Log{"deadlock", "deadlock", "finished"});
}

TEST_CASE_METHOD(Stubborn, "what a task spawns while it is destroyed runs", "[step09]") {
  scheduler.spawn(never_end_and_then(&never, [this] { scheduler.spawn(say(&log, "spawned")); }));
  run(scheduler);
  REQUIRE(log == Log{"deadlock", "deadlock", "spawned"});
  scheduler.run(say(&log, "again"));
  REQUIRE(log.back() == "again");
}

TEST_CASE_METHOD(Stubborn, "what a task spawns while its scheduler is destroyed goes, too",
                 "[step09]") {
  {
    Scheduler mortal(reactor);
    mortal.spawn(never_end_and_then(&never, [&] { mortal.spawn(say(&log, "never")); }));
    mortal.shuffle([&mortal](std::size_t) -> std::size_t {
      if (mortal.turns() == 1) throw std::runtime_error("stopped");
      return 0;
    });
    mortal.spawn(say(&log, "never"));
    REQUIRE(run(mortal) == "stopped");
  }
  REQUIRE(log.empty());
}
