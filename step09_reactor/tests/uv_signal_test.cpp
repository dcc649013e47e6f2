#include <csignal>

#include "coop/uv/signal.hpp"
#include "uv_world.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> raise_soon(int number) {
  co_await yield();
  std::raise(number);
}

/// Returns what the system does for the signal, for example SIG_DFL.
auto action_of(int number) {
  struct sigaction action{};
  ::sigaction(number, nullptr, &action);
  return action.sa_handler;
}

bool has_default_action(int number) {
  return action_of(number) == SIG_DFL;
}

Coroutine<> make_signal(int number) {
  const Signal event(number);
  co_return;
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a signal wakes all tasks that wait for it", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Signal one(SIGUSR1), two(SIGUSR1), other(SIGUSR2);
    const Handle<void> first = spawn(outcome(out, "1", until(&one)));
    const Handle<void> second = spawn(outcome(out, "2", until(&one)));
    const Handle<void> third = spawn(outcome(out, "3", until(&one)));
    const Handle<void> fourth = spawn(outcome(out, "4", until(&two)));
    spawn(raise_soon(SIGUSR1));
    co_await yield();
    first->cancel();
    co_await second;
    co_await third;
    co_await fourth;
    co_await outcome(out, "other", with_timeout(1ms, until(&other)));
  }(&log));
  std::sort(log.begin() + 1, log.begin() + 4);  // libuv orders its handles by their addresses
  REQUIRE(log == Log{"1: cancelled: cancelled", "2: done", "3: done", "4: done",
                     "other: The time is over"});
}

TEST_CASE_METHOD(UvWorld, "a signal that arrives while no task waits is kept", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Signal event(SIGUSR1);
    std::raise(SIGUSR1);
    co_await event;
    out->push_back("before the first wait");
    std::raise(SIGUSR1);
    co_await sleep(1ms);  // the reactor is polled while no task waits
    std::raise(SIGUSR1);
    const std::uint64_t turns = Scheduler::current().turns();
    co_await event;
    out->push_back("between two waits after " +
                   std::to_string(Scheduler::current().turns() - turns) + " turns");
    co_await event;
    out->push_back("the second one");
    co_await outcome(out, "another", with_timeout(1ms, until(&event)));
  }(&log));
  REQUIRE(log == Log{"before the first wait", "between two waits after 0 turns", "the second one",
                     "another: The time is over"});
}

TEST_CASE_METHOD(UvWorld, "a signal has its default action after its Signal is destroyed",
                 "[step09]") {
  scheduler.run([](Log*) -> Coroutine<> {
    Signal one(SIGUSR1);
    {
      const Signal two(SIGUSR1);
    }
    CHECK_FALSE(has_default_action(SIGUSR1));
    spawn(raise_soon(SIGUSR1));
    co_await one;
    CHECK_FALSE(has_default_action(SIGUSR1));
  }(&log));
  REQUIRE(has_default_action(SIGUSR1));
  REQUIRE_FALSE(reactor.active());
}

TEST_CASE_METHOD(UvWorld, "a signal that was ignored is ignored again after its last Signal",
                 "[step09]") {
  const int number = GENERATE(SIGPIPE, SIGHUP);  // UvReactor ignores the first one
  const auto before = std::signal(number, SIG_IGN);
  scheduler.run([](int again) -> Coroutine<> {
    auto one = std::make_unique<Signal>(again), two = std::make_unique<Signal>(again);
    one.reset();
    CHECK(action_of(again) != SIG_IGN);
    co_await yield();
  }(number));
  CHECK(action_of(number) == SIG_IGN);
  std::signal(number, before);
}

TEST_CASE("a signal that the program does not wait for keeps its action", "[step09]") {
  const auto interrupt = action_of(SIGINT), terminate = action_of(SIGTERM);
  UvWorld world;
  world.scheduler.run(sleep(1ms));
  CHECK(action_of(SIGINT) == interrupt);
  CHECK(action_of(SIGTERM) == terminate);
}

TEST_CASE_METHOD(UvWorld, "a signal that cannot be caught is an error", "[step09]") {
  scheduler.run(outcome(&log, "kill", make_signal(SIGKILL)));
  scheduler.run(outcome(&log, "none", make_signal(-1)));
  scheduler.run(outcome(&log, "zero", make_signal(0)));
  REQUIRE(log == Log{"kill: EINVAL", "none: EINVAL", "zero: EINVAL"});
}
