#include "coop/for_each.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
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

/// Takes as many milliseconds as its number says.
Coroutine<> nap(Seen* seen, int item) {
  const Active active(seen, item);
  co_await sleep(1ms * item);
  seen->ended.push_back(item);
}

std::vector<int> numbers(int first, int last) {
  std::vector<int> result;
  for (int i = first; i <= last; ++i) result.push_back(i);
  return result;
}

/// Says whether items are still being worked on when the iteration is over.
Coroutine<> report_end(Log* out, Seen* seen, Coroutine<> iteration) {
  co_await report(out, "all", std::move(iteration));
  out->push_back(std::to_string(seen->active) + " active");
}

Coroutine<> fail_at_two(int item) {
  if (item == 2) throw std::runtime_error("item 2");
  co_return;
}

Coroutine<> cancel_itself(bool really) {
  if (really) this_task().cancel();
  co_await yield();
}

}  // namespace

TEST_CASE_METHOD(World, "for_each runs as many items at a time as its limit", "[step09]") {
  for (const std::size_t limit : {1U, 2U, 3U, 7U, 20U}) {
    Seen seen;
    const auto item = [&seen](int i) { return nap(&seen, i); };
    scheduler.run(for_each(numbers(1, 20), item, limit));
    REQUIRE(seen.most == static_cast<int>(limit));
    REQUIRE(seen.begun == numbers(1, 20));
    REQUIRE(seen.ended.size() == 20);
  }
}

TEST_CASE_METHOD(World, "for_each spawns as many tasks as its limit although no item waits",
                 "[step09]") {
  const auto item = [this](int) { return say(&log, "item"); };
  scheduler.run(for_each(numbers(1, 9), item, 3));
  REQUIRE(log == Log(9, "item"));
  REQUIRE(scheduler.spawn(say(&log, "after the main task and three others"))->id() == 5);
}

TEST_CASE_METHOD(World, "for_each awaits a slow last item", "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return nap(&seen, i); };
  scheduler.spawn(report_end(&log, &seen, for_each(std::vector<int>{1, 2, 1000}, item, 3)));
  scheduler.run();
  REQUIRE(seen.ended == std::vector<int>{1, 2, 1000});
  REQUIRE(log == Log{"all: done", "0 active"});
}

TEST_CASE_METHOD(World, "for_each returns at once if there are no items", "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return nap(&seen, i); };
  scheduler.run(for_each(std::vector<int>(), item, 3));
  REQUIRE(seen.begun.empty());
  REQUIRE(scheduler.turns() == 1);
}

TEST_CASE_METHOD(World, "for_each accepts the name of a function", "[step09]") {
  scheduler.run(report(&log, "all", for_each(numbers(1, 3), fail_at_two, 1)));
  REQUIRE(log == Log{"all: item 2"});
}

TEST_CASE_METHOD(World, "for_each refuses a concurrency of zero", "[step09]") {
  const auto item = [](int) { return until(nullptr); };
  REQUIRE_THROWS_AS(for_each(numbers(1, 3), item, 0), std::invalid_argument);
}

TEST_CASE_METHOD(World, "for_each cancels its items when its caller is cancelled", "[step09]") {
  Seen seen;
  const auto item = [&](int i) {
    return with_finally(nap(&seen, 1000 * i), say(&log, "clean-up", 1));
  };
  const Handle<void> task =
      scheduler.spawn(report_end(&log, &seen, for_each(numbers(1, 10), item, 3)));
  scheduler.spawn(cancel(&*task, "why", 2));
  scheduler.run();
  REQUIRE(log == Log{"clean-up", "clean-up", "clean-up", "all: cancelled: why", "0 active"});
  REQUIRE(seen.begun.size() == 3);
  REQUIRE(seen.ended.empty());
}

TEST_CASE_METHOD(World, "an error of an item cancels the others and for_each throws it",
                 "[step09]") {
  Seen seen;
  const auto item = [&seen](int i) { return i == 2 ? fail("oh", 1) : nap(&seen, 1000); };
  scheduler.run(report_end(&log, &seen, for_each(numbers(1, 9), item, 3)));
  REQUIRE(log == Log{"all: oh", "0 active"});
  REQUIRE(seen.begun.size() == 2);
  REQUIRE(seen.ended.empty());
}

TEST_CASE_METHOD(World, "for_each begins no item after an error", "[step09]") {
  ManualEvent never;
  const auto item = [&](int i) {
    return i == 1 ? report(&log, "1", until(&never)) : i == 2 ? fail("oh") : say(&log, "begun");
  };
  scheduler.run(report(&log, "all", for_each(numbers(1, 9), item, 2)));
  REQUIRE(log == Log{"1: cancelled: another failed", "all: oh"});
}

TEST_CASE_METHOD(World, "for_each throws if any of its items was cancelled", "[step09]") {
  for (int which = 0; which < 4; ++which) {
    const auto item = [which](int i) { return cancel_itself(i == which); };
    scheduler.run(report(&log, "all", for_each(std::vector<int>{0, 1, 2, 3}, item, 2)));
  }
  REQUIRE(log == Log(4, "all: cancelled: a task of for_each was cancelled"));
}

TEST_CASE("for_each refuses a temporary closure that owns something", "[step09]") {
  const std::string text;
  const auto owner = [text](int) { return text; };
  const auto borrower = [&text](int) { return text; };
  STATIC_REQUIRE_FALSE(SafeCallable<decltype(owner)>);
  STATIC_REQUIRE(SafeCallable<decltype(owner)&>);
  STATIC_REQUIRE(SafeCallable<decltype(borrower)>);
}
