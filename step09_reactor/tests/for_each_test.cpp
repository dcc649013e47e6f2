#include "coop/for_each.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "probe.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

/// What a run of for_each() looked like.
struct Seen {
  int active = 0;
  int most = 0;
  std::vector<int> begun;
  std::vector<int> ended;
};

class Active {
 public:
  Active(Seen* seen, int item) : seen_(seen) {
    seen_->begun.push_back(item);
    seen_->most = std::max(seen_->most, ++seen_->active);
  }
  Active(const Active&) = delete;
  ~Active() { --seen_->active; }

 private:
  Seen* seen_;
  Living living_;
};

Coroutine<> nap(Seen* seen, int item) {
  const Active active(seen, item);
  co_await delay(std::chrono::milliseconds(item));
  seen->ended.push_back(item);
}

Coroutine<> at_once(Seen* seen, int item) {
  const Active active(seen, item);
  seen->ended.push_back(item);
  co_return;
}

Coroutine<> fail_at(Seen* seen, int item, int bad) {
  const Active active(seen, item);
  if (item == bad) throw std::runtime_error("item " + std::to_string(item));
  co_await delay(10ms);
  seen->ended.push_back(item);
}

Coroutine<> cancel_then_nap(Task* task, Seen* seen, int item) {
  task->cancel("by an item");
  co_await nap(seen, item);
}

std::vector<int> numbers(int first, int last) {
  std::vector<int> result;
  for (int i = first; i <= last; ++i) result.push_back(i);
  return result;
}

/// A range of three whose iterator runs code of ours.
class Source {
 public:
  using Hook = std::function<void(const char*, int)>;
  struct End {};
  class Iterator {
   public:
    using value_type = int;
    using difference_type = std::ptrdiff_t;
    Iterator(Hook hook, int at) : hook_(std::move(hook)), at_(at) {}
    int operator*() const {
      hook_("get", at_);
      return at_;
    }
    Iterator& operator++() {
      hook_("next", at_);
      ++at_;
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(End) const {
      hook_("end?", at_);
      return at_ == 4;
    }

   private:
    Hook hook_;
    int at_;
  };

  explicit Source(Hook hook) : hook_(std::move(hook)) {}
  Iterator begin() const { return Iterator(hook_, 1); }
  End end() const { return {}; }

 private:
  Hook hook_;
};

/// Says whether items are still being worked on when the iteration is over.
Coroutine<> report_end(Log* out, Seen* seen, Coroutine<> iteration) {
  co_await report(out, "all", std::move(iteration));
  out->push_back(std::to_string(seen->active) + " active");
}

Coroutine<> cancel_then_iterate(Seen* seen) {
  current_task().cancel("before");
  const auto item = [seen](int i) { return nap(seen, i); };
  co_await for_each(numbers(1, 3), item, 2);
}

}  // namespace

TEST_CASE_METHOD(World, "for_each: as many at a time as it may, not one more", "[step09]") {
  for (const std::size_t limit : {1U, 2U, 3U, 7U, 20U}) {
    Seen seen;
    const auto item = [&seen](int i) { return nap(&seen, i); };
    scheduler.run(for_each(numbers(1, 20), item, limit));
    REQUIRE(seen.most == static_cast<int>(limit));
    REQUIRE(seen.begun == numbers(1, 20));
    REQUIRE(seen.ended.size() == 20);
  }
}

TEST_CASE_METHOD(World, "for_each: it starts no more tasks than there are items", "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return nap(&seen, i); };
  scheduler.run(for_each(numbers(1, 3), item, 100));
  REQUIRE(seen.most == 3);
  REQUIRE(scheduler.spawn(say(&log, ""))->id() <= 1 + 3 + 1);
}

TEST_CASE_METHOD(World, "for_each: one at a time keeps the order", "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return nap(&seen, 5 - i); };
  scheduler.run(for_each(numbers(1, 4), item, 1));
  REQUIRE(seen.ended == std::vector<int>{4, 3, 2, 1});
}

TEST_CASE_METHOD(World, "for_each: a slow last item is awaited", "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return nap(&seen, i); };
  scheduler.spawn(report_end(&log, &seen, for_each(std::vector<int>{1, 2, 1000}, item, 3)));
  scheduler.run();
  REQUIRE(seen.ended == std::vector<int>{1, 2, 1000});
  REQUIRE(log == Log{"all: done", "0 active"});
}

TEST_CASE_METHOD(World, "for_each: nothing to do", "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return nap(&seen, i); };
  scheduler.run(for_each(std::vector<int>(), item, 3));
  REQUIRE(seen.begun.empty());
  REQUIRE(scheduler.turns() == 1);
}

TEST_CASE_METHOD(World, "for_each: at most none at a time is refused", "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return nap(&seen, i); };
  scheduler.run(report(&log, "all", for_each(numbers(1, 3), item, 0)));
  REQUIRE(log.size() == 1);
  REQUIRE(log[0] != "all: done");
}

TEST_CASE_METHOD(World, "for_each: what never suspends is done by one task", "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return at_once(&seen, i); };
  scheduler.run(for_each(numbers(1, 1000), item, 10));
  REQUIRE(seen.ended == numbers(1, 1000));
  REQUIRE(seen.most == 1);
  REQUIRE(scheduler.turns() <= 3);
}

TEST_CASE_METHOD(World, "for_each: an error stops it, and those that had begun end", "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return fail_at(&seen, i, 3); };
  scheduler.run(report_end(&log, &seen, for_each(numbers(1, 10), item, 4)));
  REQUIRE(log == Log{"all: item 3", "0 active"});
  REQUIRE(seen.begun == numbers(1, 3));
  REQUIRE(seen.ended == numbers(1, 2));
}

TEST_CASE_METHOD(World, "for_each: an error in the function itself, or no coroutine", "[step09]") {
  const auto throwing = [](int) -> Coroutine<> { throw std::runtime_error("no"); };
  const auto none = [](int) { return Coroutine<>(); };
  scheduler.run(report(&log, "a", for_each(numbers(1, 3), throwing, 2)));
  scheduler.run(report(&log, "b", for_each(numbers(1, 3), none, 2)));
  REQUIRE(log == Log{"a: no", "b: There is no coroutine to call"});
}

TEST_CASE_METHOD(World, "for_each: if the caller is cancelled, so are the items", "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return nap(&seen, 1000 * i); };
  const Handle<void> task =
      scheduler.spawn(report_end(&log, &seen, for_each(numbers(1, 10), item, 3)));
  const auto later = [](Task* victim) -> Coroutine<> {
    co_await delay(1500ms);
    victim->cancel("why");
  };
  scheduler.spawn(later(&*task));
  scheduler.run();
  REQUIRE(log == Log{"all: cancelled: why", "0 active"});
  REQUIRE(seen.begun.size() == 4);
  REQUIRE(seen.ended.size() == 1);
}

TEST_CASE_METHOD(World, "for_each: cancelled before one of its tasks had its first turn",
                 "[step09]") {
  Seen seen;
  SECTION("the first one") {
    scheduler.spawn(report(&log, "all", cancel_then_iterate(&seen)));
  }
  SECTION("the second one") {
    Task* caller = nullptr;
    const auto item = [&](int i) { return cancel_then_nap(caller, &seen, i); };
    const Handle<void> task =
        scheduler.spawn(report(&log, "all", for_each(numbers(1, 3), item, 2)));
    caller = &*task;
    scheduler.run();
  }
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log.size() == 1);
  REQUIRE(log[0].find("all: cancelled: b") == 0);
  REQUIRE(seen.ended.empty());
}

TEST_CASE_METHOD(World, "for_each: a shutdown before one of its tasks had its first turn",
                 "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return nap(&seen, i); };
  scheduler.spawn(report(&log, "all", for_each(numbers(1, 3), item, 2)));
  scheduler.spawn(fail("oh"));
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log == Log{"all: cancelled: graceful shutdown"});
}

TEST_CASE_METHOD(World, "for_each: no item is lost without an error", "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return nap(&seen, i); };
  scheduler.spawn(report(&log, "all", for_each(numbers(1, 3), item, 2)));
  const auto cancel_first_worker = []() -> Coroutine<> {
    Scheduler::current().task(3).cancel("its task");
    co_return;
  };
  scheduler.spawn(cancel_first_worker());
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(log.size() == 1);
  REQUIRE(log[0].find("all: cancelled: ") == 0);
}

TEST_CASE_METHOD(World, "for_each: the source may run any code", "[step09]") {
  Seen seen;
  const auto hook = [this](const char* what, int) {
    if (what == std::string("next")) spawn(say(&log, "spawned"), Priority::high);
  };
  const auto item = [&seen](int i) { return nap(&seen, i); };
  scheduler.run(for_each(Source(hook), item, 2));
  REQUIRE(seen.ended == numbers(1, 3));
  REQUIRE(seen.most == 2);
  REQUIRE(log == Log{"spawned", "spawned", "spawned"});
}

TEST_CASE_METHOD(World, "for_each: an error of the source stops it, wherever it comes",
                 "[step09]") {
  for (const std::string where : {"get", "next", "end?"}) {
    for (int at = 1; at <= 4; ++at) {
      for (const std::size_t limit : {1U, 2U}) {
        if (at == 4 && where != "end?") continue;
        Seen seen;
        log.clear();
        const auto hook = [&](const char* what, int number) {
          if (what == where && number == at) throw std::runtime_error("from the source");
        };
        const auto item = [&seen](int i) { return nap(&seen, i); };
        scheduler.spawn(report(&log, "all", for_each(Source(hook), item, limit)));
        INFO(where << " at " << at << ", limit " << limit);
        REQUIRE(run(scheduler) == "nothing");
        REQUIRE(log == Log{"all: from the source"});
        REQUIRE(seen.active == 0);
      }
    }
  }
}
