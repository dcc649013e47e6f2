#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>

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

SwitchHandler logging(Log* out, bool stays = true) {
  return [out, stays](Task&, Switch what) {
    out->push_back(name_of(what));
    return stays;
  };
}

SwitchHandler named(Log* out, const std::string& name, bool stays = true) {
  return [=](Task&, Switch what) {
    out->push_back(name + " " + name_of(what));
    return stays;
  };
}

Coroutine<> watch_itself(Log* out) {
  this_task().on_switch(logging(out));
  co_await yield();
}

Coroutine<> write(std::string* output, std::string word) {
  *output += word;
  co_return;
}

/// Writes to `output`, which contains the text of this task while it runs, and that of all others
/// while it is suspended.
Coroutine<> write_twice(std::string* output, std::string* own, std::string word) {
  const auto exchange = [output, own](Task&, Switch) {
    output->swap(*own);
    return true;
  };
  this_task().on_switch(exchange);
  output->swap(*own);  // the first start is no ENTER
  *output += word;
  co_await yield();
  *output += word;
}

/// Awaits one clean-up after the other. If one of them waits, another task continues with the rest.
Coroutine<> clean_up(Log* out, std::deque<Coroutine<>>* left) {
  out->emplace_back("task");
  bool is_replaced = false;
  this_task().on_switch([out, left, &is_replaced](Task&, Switch what) {
    if (what == Switch::leave) {
      is_replaced = true;
      spawn(clean_up(out, left), Priority::high);
    }
    return false;
  });
  while (!is_replaced && !left->empty()) {
    Coroutine<> next = std::move(left->front());
    left->pop_front();
    co_await std::move(next);
  }
}

}  // namespace

TEST_CASE_METHOD(World, "a task that yields twice calls LEAVE ENTER LEAVE ENTER FINISH",
                 "[step09]") {
  scheduler.spawn(say(&log, "end", 2))->on_switch(logging(&log));
  scheduler.run();
  REQUIRE(log == Log{"LEAVE", "ENTER", "LEAVE", "ENTER", "end", "FINISH"});
}

TEST_CASE_METHOD(World, "LEAVE is called after the event has been started", "[step09]") {
  Probe probe(&log, "p");
  scheduler.spawn(report(&log, "task", until(&probe)))->on_switch(logging(&log));
  scheduler.spawn(wake(&probe));
  scheduler.run();
  REQUIRE(log == Log{"start p", "LEAVE", "stop p", "ENTER", "task: done", "FINISH"});
}

TEST_CASE_METHOD(World, "a task that never suspends calls only FINISH", "[step09]") {
  scheduler.spawn(say(&log, "end"))->on_switch(logging(&log));
  scheduler.run();
  REQUIRE(log == Log{"end", "FINISH"});
}

TEST_CASE_METHOD(World, "a handler that returns false is called once", "[step09]") {
  scheduler.spawn(say(&log, "end", 2))->on_switch(logging(&log, false));
  scheduler.run();
  REQUIRE(log == Log{"LEAVE", "end"});
}

TEST_CASE_METHOD(World, "a handler that a handler adds is called from the next switch on",
                 "[step09]") {
  const Handle<void> task = scheduler.spawn(say(&log, "end", 1));
  task->on_switch([this](Task& self, Switch) {
    log.emplace_back("adds");
    self.on_switch(named(&log, "added"));
    return false;
  });
  task->on_switch(named(&log, "second"));
  scheduler.run();
  REQUIRE(log == Log{"adds", "second LEAVE", "second ENTER", "added ENTER", "end", "second FINISH",
                     "added FINISH"});
}

TEST_CASE_METHOD(World, "a handler that is added twice is called twice", "[step09]") {
  const Handle<void> task = scheduler.spawn(say(&log, "end"));
  for (int i = 0; i < 2; ++i) task->on_switch(logging(&log));
  scheduler.run();
  REQUIRE(log == Log{"end", "FINISH", "FINISH"});
}

TEST_CASE_METHOD(World, "a handler that is added to a finished task is dropped", "[step09]") {
  const Handle<void> task = scheduler.spawn(say(&log, "end"));
  scheduler.run();
  const auto owned = std::make_shared<int>(1);
  task->on_switch([owned](Task&, Switch) { return true; });
  REQUIRE(owned.use_count() == 1);
}

TEST_CASE_METHOD(World, "if three handlers throw at FINISH the third error is dropped",
                 "[step09]") {
  const Handle<void> task = scheduler.spawn(say(&log, "end"));
  for (const char* text : {"1", "2", "3"}) {
    task->on_switch([text](Task&, Switch) -> bool { throw std::runtime_error(text); });
  }
  const std::exception_ptr error = error_of_run(scheduler);
  REQUIRE(text_of(error) == "2");
  try {
    std::rethrow_exception(error);
  } catch (const std::nested_exception& second) {
    REQUIRE(text_of(second.nested_ptr()) == "1");
  }
}

TEST_CASE_METHOD(World, "a handler that throws starts the shutdown and is removed", "[step09]") {
  const Handle<void> task = scheduler.spawn(report(&log, "task", say(&log, "end", 2)));
  task->on_switch([this](Task&, Switch what) -> bool {
    log.emplace_back(name_of(what));
    throw std::runtime_error("from a handler");
  });
  task->on_switch(named(&log, "b"));
  REQUIRE(run(scheduler) == "from a handler");
  REQUIRE(log ==
          Log{"LEAVE", "b LEAVE", "b ENTER", "task: cancelled: graceful shutdown", "b FINISH"});
}

TEST_CASE_METHOD(World, "a handler can cancel or wake its task", "[step09]") {
  ManualEvent event;
  scheduler.spawn(report(&log, "cancelled", until(&event)))->on_switch([](Task& self, Switch) {
    self.cancel("by a handler");
    return false;
  });
  scheduler.spawn(report(&log, "suspended", say(&log, "", 1)))->on_switch([](Task& self, Switch) {
    self.cancel("by a handler");
    return false;
  });
  scheduler.spawn(report(&log, "woken", until(&event)))->on_switch([&](Task&, Switch) {
    event.set();
    return false;
  });
  scheduler.run();
  REQUIRE(log == Log{"cancelled: cancelled: by a handler", "suspended: cancelled: by a handler",
                     "woken: done"});
}

TEST_CASE_METHOD(World, "a task that fails or is cancelled calls FINISH", "[step09]") {
  const Handle<void> failing = scheduler.spawn(fail("oh"));
  failing->on_switch(named(&log, "failing"));
  scheduler.spawn(join(&log, "join", failing));
  const Handle<void> cancelled = scheduler.spawn(say(&log, "never"));
  cancelled->on_switch(named(&log, "cancelled"));
  cancelled->cancel();
  scheduler.run();
  REQUIRE(log == Log{"failing FINISH", "join: oh", "cancelled FINISH"});
}

TEST_CASE_METHOD(World, "a handler sees only the switches of its own task", "[step09]") {
  scheduler.spawn(watch_itself(&log));
  scheduler.spawn(say(&log, "other", 2));
  scheduler.run();
  REQUIRE(log == Log{"LEAVE", "ENTER", "FINISH", "other"});
}

TEST_CASE_METHOD(World, "the start of the first task is an ENTER for the handlers of on_main_start",
                 "[step09]") {
  scheduler.on_main_start(named(&log, "a"));
  scheduler.on_main_start(named(&log, "once", false));
  REQUIRE(log.empty());
  scheduler.run(say(&log, "main", 1));
  REQUIRE(log == Log{"a ENTER", "once ENTER", "a LEAVE", "a ENTER", "main", "a FINISH"});
  log.clear();
  scheduler.run(say(&log, "another main"));
  REQUIRE(log == Log{"another main"});
}

TEST_CASE_METHOD(World, "a handler that holds a handle to its own task is destroyed", "[step09]") {
  const auto spawn_watched = [this](Scheduler& where) {
    const Handle<void> task = where.spawn(say(&log, "end", 1));
    task->on_switch([task](Task&, Switch) { return true; });
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

TEST_CASE_METHOD(World, "a microtask that a LEAVE handler adds runs before the next task",
                 "[step09]") {
  scheduler.spawn(say(&log, "end", 1))->on_switch([this](Task&, Switch) {
    log.push_back("LEAVE");
    scheduler.defer([this] { log.push_back("microtask"); });
    return false;
  });
  scheduler.spawn(say(&log, "next"));
  scheduler.run();
  REQUIRE(log == Log{"LEAVE", "microtask", "next", "end"});
}

TEST_CASE_METHOD(World, "a handler can exchange the output at each switch of its task",
                 "[step09]") {
  std::string output, a, b;
  scheduler.spawn(write_twice(&output, &a, "a"));
  scheduler.spawn(write_twice(&output, &b, "b"));
  scheduler.spawn(write(&output, "c"));
  scheduler.run();
  REQUIRE(a == "aa");
  REQUIRE(b == "bb");
  REQUIRE(output == "c");
}

TEST_CASE_METHOD(World, "a LEAVE handler can spawn a high task that continues with the work",
                 "[step09]") {
  std::deque<Coroutine<>> left;
  left.push_back(say(&log, "a"));
  left.push_back(say(&log, "b, which yields twice", 2));
  left.push_back(report(&log, "c, which waits", sleep(std::chrono::milliseconds(1))));
  left.push_back(say(&log, "d"));
  scheduler.spawn(clean_up(&log, &left));
  scheduler.spawn(say(&log, "another task"));
  scheduler.run();
  REQUIRE(log == Log{"task", "a", "task", "task", "d", "another task", "b, which yields twice",
                     "c, which waits: done"});
}
