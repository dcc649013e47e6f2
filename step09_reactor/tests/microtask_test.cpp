#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>

#include "world.hpp"

using namespace coop;

namespace {

using Microtask = std::function<void()>;

Coroutine<> defer_and_say(Log* out, Microtask microtask) {
  Scheduler::current().defer(std::move(microtask));
  out->push_back("before");
  co_await yield();
  out->push_back("after");
}

}  // namespace

class Microtasks : public World {
 public:
  Microtask saying(const std::string& what) {
    return [this, what] { log.push_back(what); };
  }
};

TEST_CASE_METHOD(Microtasks, "microtasks run first in first out", "[step09]") {
  scheduler.spawn(say(&log, "task"));
  for (const char* name : {"1", "2", "3"}) scheduler.defer(saying(name));
  scheduler.defer([this] { log.emplace_back("4"); });
  scheduler.spawn(say(&log, "high"), Priority::high);
  REQUIRE(log.empty());
  scheduler.run();
  REQUIRE(log == Log{"1", "2", "3", "4", "high", "task"});
}

TEST_CASE_METHOD(Microtasks, "a microtask of a task runs before the next task", "[step09]") {
  scheduler.spawn(defer_and_say(&log, saying("micro")));
  scheduler.spawn(say(&log, "other"));
  scheduler.run();
  REQUIRE(log == Log{"before", "micro", "other", "after"});
}

TEST_CASE_METHOD(Microtasks, "a microtask can put itself into the queue again", "[step09]") {
  const auto left = std::make_shared<int>(3);
  long uses = 0;
  Microtask again = [&, left] {
    log.emplace_back("again");
    if (*left == 3) uses = left.use_count();
    if (--*left > 0) scheduler.defer(again);
  };
  scheduler.defer(again);
  scheduler.defer(saying("other"));
  scheduler.spawn(say(&log, "task"));
  scheduler.run();
  REQUIRE(log == Log{"again", "other", "again", "again", "task"});
  REQUIRE(uses == 3);  // twice by this test, and by the loop, since it has left the queue
  REQUIRE(left.use_count() == 2);
}

TEST_CASE_METHOD(Microtasks, "a microtask is released right after it has run", "[step09]") {
  auto owned = std::make_shared<std::string>("1");
  const std::weak_ptr<std::string> watched = owned;
  scheduler.defer([this, owned = std::move(owned)] { log.push_back(*owned); });
  scheduler.defer([&] { log.emplace_back(watched.expired() ? "gone" : "there"); });
  scheduler.run();
  REQUIRE(log == Log{"1", "gone"});
}

TEST_CASE_METHOD(Microtasks, "a microtask runs although there is no task", "[step09]") {
  scheduler.defer(saying("1"));
  scheduler.run();
  REQUIRE(log == Log{"1"});
  REQUIRE(scheduler.turns() == 0);
}

TEST_CASE_METHOD(Microtasks, "a microtask can spawn a task but belongs to no task", "[step09]") {
  const auto microtask = [this] {
    REQUIRE(scheduler.this_task() == nullptr);
    REQUIRE_THROWS_AS(this_task(), std::logic_error);
    spawn(say(&log, "spawned"));
  };
  SECTION("queued by nobody") {
    scheduler.defer(microtask);
    scheduler.run();
    REQUIRE(log == Log{"spawned"});
  }
  SECTION("queued by a task") {
    scheduler.run(defer_and_say(&log, microtask));
    REQUIRE(log == Log{"before", "after", "spawned"});
  }
}

TEST_CASE_METHOD(Microtasks, "a microtask that throws starts the shutdown", "[step09]") {
  ManualEvent never;
  scheduler.spawn(report(&log, "waits", until(&never)));
  scheduler.spawn([](Log* out) -> Coroutine<> {
    Scheduler::current().defer([] { throw std::runtime_error("oh"); });
    Scheduler::current().defer([out] { out->push_back("rest"); });
    co_return;
  }(&log));
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log == Log{"waits: cancelled: graceful shutdown", "rest"});
  REQUIRE_FALSE(scheduler.is_shutting_down());
}

TEST_CASE_METHOD(Microtasks, "a microtask that throws delays the rest of the queue by one turn",
                 "[step09]") {
  int calls = 0;
  scheduler.defer([&] {
    if (++calls == 1) throw Cancelled("just so");
  });
  scheduler.defer(saying("rest"));
  scheduler.spawn(say(&log, "task"));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log == Log{"task", "rest"});
  REQUIRE(calls == 1);
}
