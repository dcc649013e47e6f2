#include "coop/any_of.hpp"

#include <memory>
#include <stdexcept>
#include <vector>

#include "probe.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<std::unique_ptr<int>> make(int value, Clock::duration time = 1ms) {
  co_await sleep(time);
  co_return std::make_unique<int>(value);
}

Coroutine<> finish(Log* out, std::string name, Clock::duration time) {
  try {
    co_await sleep(time);
    out->push_back(name + " done");
  } catch (const Cancelled& cancelled) {
    out->push_back(name + ": " + cancelled.reason());
  }
}

Coroutine<> log_index(Log* out, Coroutine<std::size_t> body) {
  const std::size_t index = co_await std::move(body);
  out->push_back(std::to_string(index));
}

}  // namespace

TEST_CASE_METHOD(World, "any_of waits for events and handles and coroutines", "[step09]") {
  const auto body = [](Log* out) -> Coroutine<> {
    ManualEvent never;
    Timer timer(5ms);
    const Handle<int> task = spawn(give(7, 1));
    const std::size_t events = co_await any_of(never, timer, task);
    const std::size_t mixed = co_await any_of(never, finish(out, "a", 1ms), finish(out, "b", 2ms));
    out->push_back(std::to_string(events) + " " + std::to_string(mixed));
  };
  scheduler.run(body(&log));
  REQUIRE(log == Log{"a done", "b: not the first", "2 1"});
}

TEST_CASE_METHOD(World, "any_of waits for the first task of a vector", "[step09]") {
  const auto body = [](Log* out) -> Coroutine<> {
    std::vector<Handle<void>> tasks;
    for (const auto time : {3ms, 1ms, 2ms}) tasks.push_back(spawn(sleep(time)));
    const std::size_t first = co_await any_of(tasks);
    out->push_back(std::to_string(first));
  };
  scheduler.run(body(&log));
  REQUIRE(log == Log{"1"});
}

TEST_CASE_METHOD(World, "any_of throws for an empty vector", "[step09]") {
  REQUIRE_THROWS_AS(any_of(std::vector<Handle<void>>()), std::invalid_argument);
}

TEST_CASE_METHOD(World, "any_of throws an error of its coroutines", "[step09]") {
  scheduler.run(report(&log, "all", log_index(&log, any_of(fail("oh"), finish(&log, "b", 9ms)))));
  REQUIRE(log == Log{"all: oh"});
}

TEST_CASE_METHOD(World, "any_of cancels its coroutines when its caller is cancelled", "[step09]") {
  const Handle<void> task = scheduler.spawn(
      report(&log, "all", log_index(&log, any_of(finish(&log, "a", 8ms), finish(&log, "b", 9ms)))));
  scheduler.spawn(cancel(&*task, "why", 2));
  scheduler.run();
  REQUIRE(log == Log{"a: cancelled", "b: cancelled", "all: cancelled: why"});
}

TEST_CASE_METHOD(World, "all_of returns all results", "[step09]") {
  const auto body = [](int* sum) -> Coroutine<> {
    const auto all = co_await all_of(give(1, 2), sleep(1ms), make(2));
    const auto& [number, nothing, pointer] = all;
    static_assert(std::is_same_v<decltype(nothing), const std::monostate>);
    std::vector<Coroutine<std::unique_ptr<int>>> more;
    more.push_back(make(4, 2ms));
    more.push_back(make(8));
    const std::vector<std::unique_ptr<int>> results = co_await all_of(std::move(more));
    *sum = number + *pointer + *results[0] - *results[1];
  };
  int sum = 0;
  scheduler.run(body(&sum));
  REQUIRE(sum == 1 + 2 + 4 - 8);
}

TEST_CASE_METHOD(World, "all_of cancels the others when one fails", "[step09]") {
  const auto body = [](Log* out) -> Coroutine<> {
    co_await all_of(finish(out, "a", 9ms), fail("oh", 2));
  };
  scheduler.run(report(&log, "all", body(&log)));
  REQUIRE(log == Log{"a: another failed", "all: oh"});
}
