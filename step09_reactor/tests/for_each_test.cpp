#include <chrono>
#include <cstddef>
#include <ranges>
#include <vector>

#include "allocations.hpp"
#include "items.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> at_once(Seen* seen, int item) {
  const Active active(seen, item);
  seen->ended.push_back(item);
  co_return;
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

TEST_CASE_METHOD(World, "for_each: however many end at once, they need no more memory",
                 "[step09]") {
  const auto item = [this](int) { return say(&log, "item"); };
  std::size_t needed[2];
  for (const int items : {10, 10, 100'000}) {
    log.reserve(static_cast<std::size_t>(items));
    log.clear();
    const std::size_t before = allocations::count();
    scheduler.run(for_each(std::views::iota(0, items), item, 2));
    needed[items == 10 ? 0 : 1] = allocations::count() - before;
    REQUIRE(log.size() == static_cast<std::size_t>(items));
  }
  REQUIRE(needed[0] == needed[1]);
}
