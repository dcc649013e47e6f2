#include <sys/wait.h>

#include <csignal>
#include <new>
#include <string>
#include <vector>

#include "allocations.hpp"
#include "coop/for_each.hpp"
#include "coop/uv/blocking.hpp"
#include "coop/uv/process.hpp"
#include "coop/uv/signal.hpp"
#include "uv_world.hpp"

using namespace coop;
using namespace std::chrono_literals;

// What cannot be begun, for want of memory, has not been begun.

namespace {

void nothing() {}

bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/// The constructor fails at each point in turn.
Coroutine<> start_children() {
  bool failed = true;
  for (std::size_t n = 1; failed; ++n) {
    std::vector<std::string> arguments{"true"};
    allocations::fail_at(n);
    try {
      const Process child(std::move(arguments), Stdio::none, Stdio::pipe, Stdio::pipe);
    } catch (const std::bad_alloc&) {
    }
    failed = allocations::failed();
    allocations::fail_at(0);
  }
  while (has_children()) {
    co_await run_in_thread(nothing);
  }
}

Coroutine<> wait_for_signal_twice() {
  Signal event(SIGUSR2);
  const Handle<void> first = spawn(until(&event));
  co_await suspend();
  allocations::fail_at(1);
  bool failed = false;
  try {
    co_await wait(event);
  } catch (const std::bad_alloc&) {
    failed = true;
  }
  allocations::fail_at(0);
  CHECK(failed);
  first->cancel();
  co_await suspend();
  struct sigaction action{};
  ::sigaction(SIGUSR2, nullptr, &action);
  CHECK(action.sa_handler == SIG_DFL);
}

Coroutine<> live_until(Event* event) {
  const Living living;
  co_await wait(*event);
}

/// The timeout fails at each point in turn, the last one first: by then all frames are there.
Coroutine<> run_out_of_time() {
  for (std::size_t n = 20; n > 0; --n) {
    ManualEvent never;
    allocations::fail_at(n);
    bool ended = false;
    try {
      co_await with_timeout(1ms, live_until(&never));
    } catch (const std::exception&) {
      ended = Living::count == 0;
    }
    const bool failed = allocations::failed();
    allocations::fail_at(0);
    CHECK((failed || n > 1));
    CHECK(ended);
  }
}

Coroutine<> visit_until_cancelled(Event* never, bool* ended) {
  const auto visit = [never](int) { return live_until(never); };
  std::vector<int> items{1};
  try {
    co_await for_each(std::move(items), visit, 1);
  } catch (...) {
    *ended = Living::count == 0;
  }
}

Coroutine<> cancel_without_memory(bool* ended) {
  ManualEvent never;
  const Handle<void> all = spawn(visit_until_cancelled(&never, ended));
  co_await suspend();
  co_await suspend();
  CHECK(Living::count == 1);
  all->cancel();
  allocations::fail_at(1);
  co_await all;
  allocations::fail_at(0);
}

Coroutine<> count_up(int* count) {
  ++*count;
  co_await suspend();
}

/// The iteration fails at each point in turn; whoever calls it hears of it and goes on.
Coroutine<> visit_without_memory() {
  bool failed = true;
  for (std::size_t n = 1; failed; ++n) {
    int begun = 0;
    const auto visit = [&begun](int) { return count_up(&begun); };
    std::vector<int> items{1, 2, 3};
    empty_pool();  // so that each round asks for as much
    allocations::fail_at(n);
    try {
      co_await for_each(std::move(items), visit, 2);
    } catch (const std::bad_alloc&) {
    }
    failed = allocations::failed();
    allocations::fail_at(0);
    const int begun_by_then = begun;
    CHECK((failed || begun == 3));
    for (int i = 0; i < 5; ++i) {
      co_await suspend();
    }
    CHECK(begun == begun_by_then);
  }
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a child that there is no memory for leaves no zombie", "[step09]") {
  scheduler.spawn(start_children());
  REQUIRE(run(scheduler) == "nothing");
}

TEST_CASE_METHOD(UvWorld, "who cannot wait for a signal has not begun to", "[step09]") {
  scheduler.spawn(wait_for_signal_twice());
  REQUIRE(run(scheduler) == "nothing");
}

TEST_CASE_METHOD(UvWorld, "with_timeout: without memory, too, the body ends first", "[step09]") {
  scheduler.spawn(run_out_of_time());
  REQUIRE(run(scheduler) == "nothing");
}

TEST_CASE_METHOD(UvWorld, "for_each: without memory, too, its workers end first", "[step09]") {
  bool ended = false;
  scheduler.spawn(cancel_without_memory(&ended));
  REQUIRE(run(scheduler) == "nothing");
  REQUIRE(ended);
}

TEST_CASE_METHOD(UvWorld, "for_each: when it has failed for want of memory, nothing begins",
                 "[step09]") {
  scheduler.spawn(visit_without_memory());
  REQUIRE(run(scheduler) == "nothing");
}

TEST_CASE("a reactor that there is no memory for leaves nothing", "[step09]") {
  const NoDescriptorLeft no_descriptor_left;
  bool failed = true;
  for (std::size_t n = 1; failed; ++n) {
    allocations::fail_at(n);
    try {
      const UvReactor reactor;
    } catch (const std::bad_alloc&) {
    }
    failed = allocations::failed();
    allocations::fail_at(0);
  }
}
