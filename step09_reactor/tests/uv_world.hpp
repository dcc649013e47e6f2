#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include "coop/uv/uv_reactor.hpp"
#include "probe.hpp"

/// A test that has this as its fixture ends with as many open descriptors as it began with. One
/// that hangs is ended by the system's alarm.
class NoDescriptorLeft {
 public:
  NoDescriptorLeft() : before_(count()) { ::alarm(120); }
  NoDescriptorLeft(const NoDescriptorLeft&) = delete;
  ~NoDescriptorLeft() {
    ::alarm(0);
    CHECK(count() == before_);
  }

 private:
  static std::ptrdiff_t count() {
    static const coop::UvReactor first;  // libuv keeps a pipe for signals, for good
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  }

  std::ptrdiff_t before_;
};

/// What the tests of the UvReactor need.
struct UvWorld : NothingLeft, NoDescriptorLeft {
  Log log;
  coop::UvReactor reactor;
  coop::Scheduler scheduler{reactor};
};

/// The name of libuv's error if it is one, or what it says.
inline std::string name_of(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const coop::UvError& uv_error) {
    std::array<char, 64> name{};
    return uv_err_name_r(uv_error.code(), name.data(), name.size());
  } catch (...) {
  }
  return text_of(error);
}

/// Runs `body` and says what came of it: "name: ECONNRESET".
inline coop::Coroutine<> outcome(Log* out, std::string name, coop::Coroutine<> body) {
  const Living living;
  try {
    co_await std::move(body);
    out->push_back(name + ": done");
  } catch (...) {
    out->push_back(name + ": " + name_of(std::current_exception()));
  }
}

/// Comes out of run(), which leaves all tasks where they stand.
struct Stopped {};

inline coop::Coroutine<> stop() {
  coop::Scheduler::current().shuffle([](std::size_t) -> std::size_t { throw Stopped(); });
  co_await coop::suspend();
}

/// What holds for everything that can be waited for. `wait` gives a coroutine that waits in its
/// first turn, for what never comes.
inline coop::Coroutine<> keep_contract(Log* out, std::function<coop::Coroutine<>()> wait) {
  const coop::Handle<void> task = coop::spawn(outcome(out, "one", wait()));
  co_await coop::suspend();
  task->cancel();
  co_await task;
  co_await outcome(out, "late", coop::with_timeout(std::chrono::milliseconds(1), wait()));
  coop::spawn(outcome(out, "destroyed while it waits", wait()));
  co_await coop::suspend();
  co_await stop();
}

/// Runs a test's first coroutine, which ends with keep_contract().
inline void check_contract(UvWorld* world, coop::Coroutine<> body) {
  REQUIRE_THROWS_AS(world->scheduler.run(std::move(body)), Stopped);
  REQUIRE(world->log == Log{"one: cancelled: cancelled", "late: The time is over"});
  REQUIRE(world->reactor.active());
}

/// Uses the processor for so long.
inline void compute(coop::Clock::duration time) {
  const auto end = coop::Clock::now() + time;
  while (coop::Clock::now() < end) {
  }
}

/// How much of the processor this program has used.
inline double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// While it lives, no more descriptors can be opened.
class NoMoreDescriptors {
 public:
  NoMoreDescriptors() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int next = ::dup(0);  // the lowest one that is free
    ::close(next);
    const rlimit none{static_cast<rlim_t>(next), before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  NoMoreDescriptors(const NoMoreDescriptors&) = delete;
  ~NoMoreDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

/// A pair of descriptors that closes itself.
struct Ends {
  explicit Ends(int (*make)(int*)) { REQUIRE(make(both) == 0); }
  Ends(const Ends&) = delete;
  ~Ends() {
    close(0);
    close(1);
  }
  void close(int which) {
    if (both[which] >= 0) ::close(std::exchange(both[which], -1));
  }

  int both[2] = {-1, -1};
};
