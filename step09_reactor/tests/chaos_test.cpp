#include <random>

#include "scenario.hpp"

using namespace coop;

// What does not depend on the order of turns is the same in every order.

namespace {

/// Lets chance decide who has the next turn.
void shuffle(Scheduler& scheduler, unsigned seed) {
  scheduler.shuffle([random = std::mt19937(seed)](std::size_t n) mutable {
    return static_cast<std::size_t>(random() % n);
  });
}

Coroutine<int> sum_of_tree(int depth) {
  const Living living;
  if (depth == 0) co_return 1;
  const Handle<int> left = spawn(sum_of_tree(depth - 1));
  const Handle<int> right = spawn(sum_of_tree(depth - 1), Priority::high);
  co_await suspend();
  const int a = co_await left;
  const int b = co_await right;
  co_return a + b;
}

Coroutine<> keep_sum(int depth, int* result) {
  *result = co_await sum_of_tree(depth);
}

Coroutine<> send(int times, int* slot, ManualEvent* full, ManualEvent* empty) {
  for (int i = 1; i <= times; ++i) {
    co_await wait(*empty);
    empty->reset();
    *slot = i;
    full->set();
  }
}

Coroutine<> receive(int times, const int* slot, ManualEvent* full, ManualEvent* empty, Log* out) {
  for (int i = 1; i <= times; ++i) {
    co_await wait(*full);
    full->reset();
    out->push_back(std::to_string(*slot));
    empty->set();
  }
}

}  // namespace

TEST_CASE_METHOD(World, "the order of turns can be chosen", "[step09]") {
  scheduler.shuffle([](std::size_t n) { return n - 1; });
  for (const char* name : {"1", "2", "3"}) scheduler.spawn(say(&log, name));
  scheduler.run();
  REQUIRE(log == Log{"3", "1", "2"});
}

TEST_CASE("a bit of everything is complete in every order", "[step09]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    INFO("seed " << seed);
    const NothingLeft nothing_left;
    FakeReactor reactor;
    Scenario in;
    Scheduler scheduler(reactor);
    shuffle(scheduler, seed);
    scheduler.run(scenario::main(&in));
    if (!scenario::is_complete(in)) FAIL("something is missing");
  }
}

TEST_CASE("a bit of everything is shut down in every order", "[step09]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    INFO("seed " << seed);
    const NothingLeft nothing_left;
    FakeReactor reactor;
    Scenario in;
    Scheduler scheduler(reactor);
    shuffle(scheduler, seed);
    scheduler.spawn(scenario::main(&in));
    scheduler.spawn(fail("oh", static_cast<int>(seed % 20)));
    if (run(scheduler) != "oh") FAIL("not the error");
  }
}

TEST_CASE("a tree of tasks has the same sum in every order", "[step09]") {
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    INFO("seed " << seed);
    const NothingLeft nothing_left;
    FakeReactor reactor;
    Scheduler scheduler(reactor);
    shuffle(scheduler, seed);
    int sum = 0;
    scheduler.run(keep_sum(5, &sum));
    if (sum != 32) FAIL("the sum is " << sum);
  }
}

TEST_CASE("what one task sends another one receives in every order", "[step09]") {
  Log expected;
  for (int i = 1; i <= 20; ++i) expected.push_back(std::to_string(i));
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    INFO("seed " << seed);
    const NothingLeft nothing_left;
    Log log;
    FakeReactor reactor;
    Scheduler scheduler(reactor);
    shuffle(scheduler, seed);
    int slot = 0;
    ManualEvent full, empty;
    empty.set();
    scheduler.spawn(receive(20, &slot, &full, &empty, &log));
    scheduler.spawn(send(20, &slot, &full, &empty));
    for (int i = 0; i < 3; ++i) scheduler.spawn(say(&log, "", 0))->cancel();
    scheduler.run();
    if (log != expected) FAIL("not what was sent");
  }
}
