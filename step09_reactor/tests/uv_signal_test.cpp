#include <sys/wait.h>

#include <csignal>

#include "coop/uv/signal.hpp"
#include "uv_world.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> raise_soon(int number) {
  co_await suspend();
  std::raise(number);
}

bool has_default_action(int number) {
  struct sigaction action{};
  ::sigaction(number, nullptr, &action);
  return action.sa_handler == SIG_DFL;
}

/// How a child ends that gets this signal.
int end_of_child(int number) {
  const pid_t child = ::fork();
  if (child == 0) {
    std::raise(number);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

/// One that comes while nobody waits is not kept for later.
Coroutine<> wait_after_it_came(Log* out) {
  Signal event(SIGWINCH);
  spawn(raise_soon(SIGWINCH));
  co_await outcome(out, "first", until(&event));
  std::raise(SIGWINCH);
  co_await outcome(out, "second", with_timeout(1ms, until(&event)));
}

Coroutine<> wait_with_timer(Log* out, Clock::duration time) {
  Signal event(SIGUSR1);
  Timer timer(Scheduler::current().reactor(), time);
  co_await wait_for_any(out, &event, &timer);
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a signal wakes all who wait for it and nobody else", "[step09]") {
  scheduler.spawn(outcome(&log, "1", signal(SIGUSR1)));
  scheduler.spawn(outcome(&log, "2", signal(SIGUSR1)));
  scheduler.spawn(outcome(&log, "other", with_timeout(20ms, signal(SIGUSR2))));
  scheduler.spawn(raise_soon(SIGUSR1));
  scheduler.run();
  std::sort(log.begin(), log.end());
  REQUIRE(log == Log{"1: done", "2: done", "other: The time is over"});
}

TEST_CASE_METHOD(UvWorld, "several tasks wait for one signal event", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Signal event(SIGUSR1);
    const Handle<void> first = spawn(outcome(out, "1", until(&event)));
    const Handle<void> second = spawn(outcome(out, "2", until(&event)));
    co_await suspend();
    first->cancel();
    spawn(raise_soon(SIGUSR1));
    co_await second;
    out->push_back(has_default_action(SIGUSR1) ? "default" : "caught");
  }(&log));
  REQUIRE(log == Log{"1: cancelled: cancelled", "2: done", "default"});
  REQUIRE_FALSE(reactor.active());
}

TEST_CASE_METHOD(UvWorld, "a signal that nobody waits for any more has its default action",
                 "[step09]") {
  const Handle<void> first = scheduler.spawn(outcome(&log, "1", signal(SIGUSR1)));
  scheduler.spawn(outcome(&log, "2", signal(SIGUSR1)));
  scheduler.spawn([](Task* task) -> Coroutine<> {
    CHECK_FALSE(has_default_action(SIGUSR1));
    task->cancel();
    co_await suspend();
    CHECK_FALSE(has_default_action(SIGUSR1));  // one waits still
    std::raise(SIGUSR1);
  }(&*first));
  scheduler.run();
  REQUIRE(log == Log{"1: cancelled: cancelled", "2: done"});
  REQUIRE(has_default_action(SIGUSR1));
  const int status = end_of_child(SIGUSR1);
  REQUIRE(WIFSIGNALED(status));
  REQUIRE(WTERMSIG(status) == SIGUSR1);
}

TEST_CASE_METHOD(UvWorld, "a signal that came while nobody waited is not kept", "[step09]") {
  scheduler.run(wait_after_it_came(&log));
  REQUIRE(log == Log{"first: done", "second: The time is over"});
}

TEST_CASE_METHOD(UvWorld, "a signal that cannot be caught is an error", "[step09]") {
  scheduler.run(outcome(&log, "kill", signal(SIGKILL)));
  scheduler.run(outcome(&log, "none", signal(-1)));
  scheduler.run(outcome(&log, "zero", signal(0)));
  REQUIRE(log == Log{"kill: EINVAL", "none: EINVAL", "zero: EINVAL"});
  REQUIRE_FALSE(reactor.active());
}

TEST_CASE_METHOD(UvWorld, "a signal or a timer, what comes first", "[step09]") {
  scheduler.run(wait_with_timer(&log, 1ms));
  scheduler.spawn(wait_with_timer(&log, 1h));
  scheduler.spawn(raise_soon(SIGUSR1));
  scheduler.run();
  REQUIRE(log == Log{"it was 1", "on", "it was 0", "on"});
}

TEST_CASE_METHOD(UvWorld, "a wait for a signal is cancelled, ended in time, and destroyed",
                 "[step09]") {
  check_contract(this, keep_contract(&log, [] { return signal(SIGUSR1); }));
}
