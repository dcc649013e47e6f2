#include <functional>
#include <memory>
#include <stdexcept>

#include "probe.hpp"

using namespace coop;

namespace {

const char* name_of(Switch what) {
  switch (what) {
  case Switch::enter:
    return "ENTER";
  case Switch::leave:
    return "LEAVE";
  case Switch::finish:
    return "FINISH";
  }
  return "?";
}

SwitchHandler logging(Log* out, Keep keep = Keep::yes) {
  return [out, keep](Task&, Switch what) {
    out->push_back(name_of(what));
    return keep;
  };
}

SwitchHandler named(Log* out, const std::string& name, Keep keep = Keep::yes) {
  return [=](Task&, Switch what) {
    out->push_back(name + " " + name_of(what));
    return keep;
  };
}

Coroutine<> watch_itself(Log* out) {
  current_task().on_switch(logging(out));
  co_await suspend();
}

}  // namespace

TEST_CASE_METHOD(World, "a task that suspends twice: LEAVE ENTER LEAVE ENTER FINISH", "[step09]") {
  scheduler.spawn(say(&log, "end", 2))->on_switch(logging(&log));
  scheduler.run();
  REQUIRE(log == Log{"LEAVE", "ENTER", "LEAVE", "ENTER", "end", "FINISH"});
}

TEST_CASE_METHOD(World, "a task that waits for an event: LEAVE after the start of the event",
                 "[step09]") {
  Probe probe(&log, "p");
  scheduler.spawn(report(&log, "task", until(&probe)))->on_switch(logging(&log));
  scheduler.spawn(wake(&probe));
  scheduler.run();
  REQUIRE(log == Log{"start p", "LEAVE", "stop p", "ENTER", "task: done", "FINISH"});
}

TEST_CASE_METHOD(World, "a task that never suspends: FINISH only", "[step09]") {
  scheduler.spawn(say(&log, "end"))->on_switch(logging(&log));
  scheduler.run();
  REQUIRE(log == Log{"end", "FINISH"});
}

TEST_CASE_METHOD(World, "a wait that is over while it starts is no switch", "[step09]") {
  Probe probe(&log, "p", Probe::Start::wakes);
  ManualEvent event;
  event.set();
  scheduler.spawn(until(&probe))->on_switch(logging(&log));
  scheduler.run();
  scheduler.spawn(until(&event))->on_switch(logging(&log));
  scheduler.run();
  REQUIRE(log == Log{"start p", "stop p", "FINISH", "FINISH"});
}

TEST_CASE_METHOD(World, "a wait that cannot start is no switch", "[step09]") {
  Probe probe(&log, "p", Probe::Start::throws);
  scheduler.spawn(report(&log, "task", until(&probe)))->on_switch(logging(&log));
  scheduler.run();
  REQUIRE(log == Log{"start p", "task: p cannot start", "FINISH"});
}

TEST_CASE_METHOD(World, "a handler for one time sees the first LEAVE only", "[step09]") {
  scheduler.spawn(say(&log, "end", 2))->on_switch(logging(&log, Keep::no));
  scheduler.run();
  REQUIRE(log == Log{"LEAVE", "end"});
}

TEST_CASE_METHOD(World, "handlers are called in the order in which they were added", "[step09]") {
  const Handle<void> task = scheduler.spawn(say(&log, "end", 1));
  task->on_switch(named(&log, "a"));
  task->on_switch(named(&log, "b", Keep::no));
  task->on_switch(named(&log, "c"));
  scheduler.run();
  REQUIRE(log == Log{"a LEAVE", "b LEAVE", "c LEAVE", "a ENTER", "c ENTER", "end", "a FINISH",
                     "c FINISH"});
}

TEST_CASE_METHOD(World, "a handler that a handler adds is called from the next switch on",
                 "[step09]") {
  const Handle<void> task = scheduler.spawn(say(&log, "end", 1));
  task->on_switch([this](Task& self, Switch) {
    log.emplace_back("adds");
    self.on_switch(named(&log, "added"));
    return Keep::no;
  });
  task->on_switch(named(&log, "second"));
  scheduler.run();
  REQUIRE(log == Log{"adds", "second LEAVE", "second ENTER", "added ENTER", "end", "second FINISH",
                     "added FINISH"});
}

TEST_CASE_METHOD(World, "a handler that always adds another one does not hang", "[step09]") {
  int calls = 0;
  std::function<Keep(Task&, Switch)> adding = [&](Task& self, Switch) {
    ++calls;
    self.on_switch(adding);
    return Keep::yes;
  };
  scheduler.spawn(say(&log, "end", 1))->on_switch(adding);
  scheduler.run();
  REQUIRE(calls == 1 + 2 + 4);
}

TEST_CASE_METHOD(World, "a handler that throws starts the shutdown, and is not called again",
                 "[step09]") {
  const Handle<void> task = scheduler.spawn(report(&log, "task", say(&log, "end", 2)));
  task->on_switch([this](Task&, Switch what) -> Keep {
    log.emplace_back(name_of(what));
    throw std::runtime_error("from a handler");
  });
  task->on_switch(named(&log, "b"));
  REQUIRE(run(scheduler) == "from a handler");
  REQUIRE(log ==
          Log{"LEAVE", "b LEAVE", "b ENTER", "task: cancelled: graceful shutdown", "b FINISH"});
}

TEST_CASE_METHOD(World, "a handler that throws while its task waits for an event", "[step09]") {
  Probe probe(&log, "p");
  scheduler.spawn(report(&log, "task", until(&probe)))->on_switch([](Task&, Switch) -> Keep {
    throw std::runtime_error("from a handler");
  });
  REQUIRE(run(scheduler) == "from a handler");
  REQUIRE(log == Log{"start p", "stop p", "task: cancelled: graceful shutdown"});
}

TEST_CASE_METHOD(World, "a handler that throws at the end of a task", "[step09]") {
  const Handle<void> task = scheduler.spawn(say(&log, "end"));
  task->on_switch([](Task&, Switch) -> Keep { throw std::runtime_error("from a handler"); });
  scheduler.spawn(join(&log, "join", task));
  REQUIRE(run(scheduler) == "from a handler");
  REQUIRE(log == Log{"end"});  // who joins was cancelled before its first turn
}

TEST_CASE_METHOD(World, "a handler may cancel its task, or wake it", "[step09]") {
  ManualEvent event;
  scheduler.spawn(report(&log, "cancelled", until(&event)))->on_switch([](Task& self, Switch) {
    self.cancel("by a handler");
    return Keep::no;
  });
  scheduler.spawn(report(&log, "suspended", say(&log, "", 1)))->on_switch([](Task& self, Switch) {
    self.cancel("by a handler");
    return Keep::no;
  });
  scheduler.spawn(report(&log, "woken", until(&event)))->on_switch([&](Task&, Switch) {
    event.set();
    return Keep::no;
  });
  scheduler.run();
  REQUIRE(log == Log{"cancelled: cancelled: by a handler", "suspended: cancelled: by a handler",
                     "woken: done"});
}

TEST_CASE_METHOD(World, "FINISH comes before those who join are told", "[step09]") {
  ManualEvent event;
  const Handle<void> task = scheduler.spawn(say(&log, "end", 1));
  scheduler.spawn(join(&log, "joined", task));
  scheduler.spawn(report(&log, "woken by the handler", until(&event)));
  task->on_switch([&](Task& self, Switch what) {
    if (what != Switch::finish) return Keep::yes;
    log.emplace_back(self.is_finished() ? "FINISH" : "too early");
    event.set();
    return Keep::yes;
  });
  scheduler.run();
  REQUIRE(log == Log{"end", "FINISH", "woken by the handler: done", "joined: done"});
}

TEST_CASE_METHOD(World, "a task that ends with an error, or is cancelled, finishes, too",
                 "[step09]") {
  const Handle<void> failing = scheduler.spawn(fail("oh"));
  failing->on_switch(named(&log, "failing"));
  scheduler.spawn(join(&log, "join", failing));
  const Handle<void> cancelled = scheduler.spawn(say(&log, "never"));
  cancelled->on_switch(named(&log, "cancelled"));
  cancelled->cancel();
  scheduler.run();
  REQUIRE(log == Log{"failing FINISH", "join: oh", "cancelled FINISH"});
}

TEST_CASE_METHOD(World, "a task may watch itself, and only itself", "[step09]") {
  scheduler.spawn(watch_itself(&log));
  scheduler.spawn(say(&log, "other", 2));
  scheduler.run();
  REQUIRE(log == Log{"LEAVE", "ENTER", "FINISH", "other"});
}

TEST_CASE_METHOD(World, "the first task's start is an ENTER for the handlers of on_main_start()",
                 "[step09]") {
  scheduler.on_main_start(named(&log, "a"));
  scheduler.on_main_start(named(&log, "once", Keep::no));
  REQUIRE(log.empty());
  scheduler.run(say(&log, "main", 1));
  REQUIRE(log == Log{"a ENTER", "once ENTER", "a LEAVE", "a ENTER", "main", "a FINISH"});
  log.clear();
  scheduler.run(say(&log, "another main"));
  REQUIRE(log == Log{"another main"});
}

TEST_CASE_METHOD(World, "a handler that comes too late is not kept", "[step09]") {
  const Handle<void> task = scheduler.spawn(say(&log, "end"));
  scheduler.run();
  task->on_switch([living = Living(), task](Task&, Switch) { return Keep::yes; });
  REQUIRE(Living::count == 0);
}

TEST_CASE_METHOD(World, "what a handler holds goes when it is removed", "[step09]") {
  const Handle<void> task = scheduler.spawn(say(&log, "end", 1));
  task->on_switch([living = Living()](Task&, Switch) { return Keep::no; });
  task->on_switch([living = Living(), this](Task&, Switch) {
    log.push_back(std::to_string(Living::count));
    return Keep::yes;
  });
  scheduler.run();
  // The second handler and the body; at the end the body is gone.
  REQUIRE(log == Log{"2", "2", "end", "1"});
  REQUIRE(Living::count == 0);
}

TEST_CASE_METHOD(World, "a handler that holds a handle to its own task keeps nothing alive",
                 "[step09]") {
  const auto spawn_watched = [this](Scheduler& where) {
    const Handle<void> task = where.spawn(say(&log, "end", 1));
    task->on_switch([task](Task&, Switch) { return Keep::yes; });
  };
  SECTION("when it ends") {
    spawn_watched(scheduler);
    scheduler.run();
  }
  SECTION("when the scheduler is destroyed") {
    Scheduler other(reactor);
    spawn_watched(other);
  }
}
