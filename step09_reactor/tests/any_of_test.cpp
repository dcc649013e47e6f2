#include "coop/any_of.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <stdexcept>
#include <variant>
#include <vector>

#include "coop/all_of.hpp"
#include "coop/channel.hpp"
#include "coop/timeout.hpp"
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

/// Does any_of() of these things compile?
template <typename... Things>
constexpr bool has_any_of = requires { any_of(std::declval<Things>()...); };

}  // namespace

TEST_CASE_METHOD(World, "any_of waits for events and handles and coroutines", "[step09]") {
  const auto body = [](Log* out) -> Coroutine<> {
    ManualEvent never;
    Timer timer(5ms);
    const Handle<int> task = spawn(give(7, 1));
    const std::size_t events = co_await any_of(never, timer, task);
    auto other = with_finally(finish(out, "b", 2ms), say(out, "b ends", 2));
    const std::size_t mixed = co_await any_of(never, finish(out, "a", 1ms), std::move(other));
    out->push_back(std::to_string(events) + " " + std::to_string(mixed));
  };
  scheduler.run(body(&log));
  REQUIRE(log == Log{"a done", "b: not the first", "b ends", "2 1"});
}

TEST_CASE_METHOD(World, "any_of starts no coroutine if an event has happened already", "[step09]") {
  ManualEvent event;
  event.set();
  scheduler.run(log_index(&log, any_of(say(&log, "never"), event)));
  REQUIRE(log == Log{"1"});
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

TEST_CASE("any_of accepts neither nothing nor a coroutine that has a name", "[step09]") {
  STATIC_REQUIRE(has_any_of<Coroutine<int>, ManualEvent&, const Handle<int>&>);
  STATIC_REQUIRE_FALSE(has_any_of<Coroutine<int>&, ManualEvent&>);
  STATIC_REQUIRE_FALSE(has_any_of<>);
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
  REQUIRE(log == Log{"a: why", "b: why", "all: cancelled: why"});
}

TEST_CASE_METHOD(World, "any_of cancels each of its coroutines once, also in a clean-up",
                 "[step09]") {
  ManualEvent never;
  SECTION("that is not the first") {
    scheduler.run(log_index(&log, any_of(end_slowly(&log, &never), say(&log, "first"))));
    REQUIRE(log == Log{"first", "body: cancelled: not the first", "clean-up: done", "1"});
  }
  SECTION("whose caller is cancelled") {
    const Handle<void> task = scheduler.spawn(
        report(&log, "all", log_index(&log, any_of(end_slowly(&log, &never), never))));
    scheduler.spawn(cancel(&*task, "why", 2));
    scheduler.run();
    REQUIRE(log == Log{"body: cancelled: why", "clean-up: done", "all: cancelled: why"});
  }
}

TEST_CASE_METHOD(World, "any_of throws the error of an event although its caller is cancelled",
                 "[step09]") {
  ManualEvent never, event;
  const Handle<void> task = scheduler.spawn([](Log* out, Event* e, Event* other) -> Coroutine<> {
    co_await report(out, "all", log_index(out, any_of(end_slowly(out, other), *e)));
    co_await report(out, "next wait", until(other));
  }(&log, &event, &never));
  scheduler.spawn([](ManualEvent* e, Task* target) -> Coroutine<> {
    co_await yield();
    e->fail(failure("oh"));
    co_await cancel(target, "why", 2);
  }(&event, &*task));
  scheduler.run();
  REQUIRE(log == Log{"body: cancelled: not the first", "clean-up: done", "all: oh",
                     "next wait: cancelled: why"});
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

namespace {

Coroutine<> send(Channel<int>* channel, int value) {
  co_await channel->send(value);
}

/// Receives from two channels, for 5 ms.
Coroutine<> select(Log* out, Channel<int>* a, Channel<int>* b) {
  const auto first = co_await any_of(a->receive(), b->receive(), sleep(5ms));
  if (first.index() == 0) out->push_back("a " + std::to_string(*std::get<0>(first)));
  if (first.index() == 1) out->push_back("b " + std::to_string(*std::get<1>(first)));
  if (first.index() == 2) out->push_back("late");
}

/// Logs what is left in two channels.
Coroutine<> drain(Log* out, Channel<int>* a, Channel<int>* b) {
  a->close();
  b->close();
  for (Channel<int>* channel : {a, b}) {
    std::optional<int> value = co_await channel->receive();
    while (value) {
      out->push_back(std::to_string(*value));
      value = co_await channel->receive();
    }
  }
}

}  // namespace

struct Channels : World {
  Channel<int> a{4}, b{4};
};

TEST_CASE_METHOD(Channels, "any_of returns the value of the first and takes no other", "[step09]") {
  SECTION("that was there before") {
    scheduler.run(send(&a, 1));
    scheduler.run(send(&b, 2));
    scheduler.run(select(&log, &a, &b));
    scheduler.run(drain(&log, &a, &b));
    REQUIRE(log == Log{"a 1", "2"});
  }
  SECTION("while it waits") {
    scheduler.spawn(select(&log, &a, &b));
    scheduler.spawn([](Channel<int>* one, Channel<int>* other) -> Coroutine<> {
      co_await sleep(1ms);
      co_await other->send(2);
      co_await one->send(1);
    }(&a, &b));
    scheduler.run();
    scheduler.run(drain(&log, &a, &b));
    REQUIRE(log == Log{"b 2", "1"});
  }
  SECTION("not even at the end of the time") {
    scheduler.spawn(select(&log, &a, &b));
    scheduler.spawn([](Channel<int>* one) -> Coroutine<> {
      co_await sleep(5ms);
      co_await one->send(1);
    }(&a));
    scheduler.run();
    scheduler.run(drain(&log, &a, &b));
    REQUIRE(log == Log{"late", "1"});
  }
}

TEST_CASE_METHOD(Channels, "any_of loses no value in any order of turns and at any cancellation",
                 "[step09]") {
  for (unsigned seed = 0; seed < 500; ++seed) {
    INFO("seed " << seed);
    log.clear();
    Channel<int> one(2), other(2);
    std::mt19937 random(seed);
    scheduler.shuffle([&random](std::size_t n) { return random() % n; });
    std::vector<Handle<void>> tasks;
    for (int i = 0; i < 3; ++i) {
      tasks.push_back(scheduler.spawn(report(&log, "select", select(&log, &one, &other))));
    }
    scheduler.spawn(send(&one, 1));
    scheduler.spawn(send(&other, 2));
    scheduler.spawn(cancel(&*tasks[0], "why", static_cast<int>(random() % 12)));
    scheduler.run();
    scheduler.shuffle(nullptr);
    scheduler.run(drain(&log, &one, &other));
    for (const char* each : {"1", "2"}) {
      CHECK(std::count_if(log.begin(), log.end(),
                          [&](const std::string& text) { return text.ends_with(each); }) == 1);
    }
  }
}

TEST_CASE_METHOD(World, "any_of returns a value although its caller is cancelled meanwhile",
                 "[step09]") {
  const auto body = [](Log* out) -> Coroutine<> {
    ManualEvent never;
    const auto first = co_await any_of(make(7), with_finally(until(&never), sleep(2ms)));
    out->push_back(std::to_string(*std::get<0>(first)));
    co_await report(out, "next wait", sleep(1ms));
  };
  const auto cancel_after = [](Task* target, Clock::duration time) -> Coroutine<> {
    co_await yield();
    co_await sleep(time);
    target->cancel("why");
  };
  const Handle<void> task = scheduler.spawn(body(&log));
  SECTION("between the turn of the first and that of the caller") {
    scheduler.spawn(cancel_after(&*task, 1ms));
  }
  SECTION("while the other one ends") {
    scheduler.spawn(cancel_after(&*task, 2ms));
  }
  scheduler.run();
  REQUIRE(log == Log{"7", "next wait: cancelled: why"});
}

TEST_CASE_METHOD(Channels, "any_of of a vector of coroutines returns the first index and its value",
                 "[step09]") {
  const auto body = [](Log* out, Channel<int>* one, Channel<int>* other) -> Coroutine<> {
    std::vector<Coroutine<std::optional<int>>> both;
    both.push_back(one->receive());
    both.push_back(other->receive());
    const auto first = co_await any_of(std::move(both));
    out->push_back(std::to_string(first.first) + ": " + std::to_string(first.second.value()));
    co_await any_of(std::vector<Coroutine<>>());
  };
  scheduler.run(send(&b, 2));
  scheduler.run(report(&log, "none", body(&log, &a, &b)));
  REQUIRE(log == Log{"1: 2", "none: any_of: there is nothing to wait for"});
}

TEST_CASE_METHOD(World, "any_of and all_of accept arguments that have to do with std", "[step09]") {
  const auto ask = [](std::string who) -> Coroutine<std::string> { co_return who; };
  const auto body = [](Log* out, auto* question) -> Coroutine<> {
    const Handle<std::string> a = spawn((*question)("a")), b = spawn((*question)("b"));
    const std::size_t first = co_await any_of(a, b, b);
    const auto all = co_await all_of((*question)("c"), (*question)("d"), (*question)("e"));
    const auto value = co_await any_of((*question)("f"), (*question)("g"), (*question)("h"));
    out->push_back(std::to_string(first) + std::get<2>(all) + std::get<0>(value));
  };
  scheduler.run(body(&log, &ask));
  REQUIRE(log == Log{"0ef"});
}
