#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "any_catch2.hpp"
#include "coop/protect.hpp"
#include "coop/timeout.hpp"
#include "fake_reactor.hpp"

using Log = std::vector<std::string>;

/// An object that is counted while it lives.
class Living {
 public:
  Living() { ++count; }
  Living(const Living&) : Living() {}
  Living& operator=(const Living&) = default;
  ~Living() { --count; }

  static inline int count = 0;
};

/// Checks at the end of a test that no frame, no task and no object is left.
class NothingLeft {
 public:
  NothingLeft() : living_(Living::count), in_use_(coop::detail::pool_statistics().in_use) {
    coop::detail::set_pool_block(
        0);  // each frame from the heap: so it may fail, and sanitizers see it
  }
  NothingLeft(const NothingLeft&) = delete;
  ~NothingLeft() {
    CHECK(Living::count == living_);
    CHECK(coop::detail::pool_statistics().in_use == in_use_);
  }

 private:
  int living_;
  std::size_t in_use_;
};

/// The text of an exception.
inline std::string text_of(const std::exception_ptr& error) {
  if (!error) return "nothing";
  try {
    std::rethrow_exception(error);
  } catch (const coop::Cancelled& cancelled) {
    return "cancelled: " + cancelled.reason();
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "something else";
  }
}

/// Runs until no task lives, and returns the error of run().
inline std::exception_ptr error_of_run(coop::Scheduler& scheduler) {
  try {
    scheduler.run();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

inline std::string run(coop::Scheduler& scheduler) {
  return text_of(error_of_run(scheduler));
}

inline std::exception_ptr failure(const std::string& what) {
  return std::make_exception_ptr(std::runtime_error(what));
}

/// Propagates out of run() before a turn.
struct Stopped {};

/// Runs until so many turns are over. False if the program ended before.
inline bool run_turns(coop::Scheduler& scheduler, std::uint64_t turns) {
  scheduler.shuffle([&scheduler, turns](std::size_t) -> std::size_t {
    if (scheduler.turns() >= turns) throw Stopped();
    return 0;
  });
  bool stopped = false;
  try {
    scheduler.run();
  } catch (const Stopped&) {
    stopped = true;
  }
  scheduler.shuffle(nullptr);
  return stopped;
}

/// What most tests need.
struct World : NothingLeft {
  Log log;
  FakeReactor reactor;
  coop::Scheduler scheduler{reactor};
};

// Coroutines that most tests need.

/// Waits for an event, for functions that take a coroutine.
inline coop::Coroutine<> until(coop::Event* event) {
  co_await *event;
}

inline coop::Coroutine<> say(Log* out, std::string text, int turns = 0) {
  const Living living;
  for (int i = 0; i < turns; ++i) {
    co_await coop::yield();
  }
  out->push_back(text);
}

inline coop::Coroutine<> fail(std::string text, int turns = 0) {
  const Living living;
  for (int i = 0; i < turns; ++i) {
    co_await coop::yield();
  }
  throw std::runtime_error(text);
}

template <typename T>
coop::Coroutine<T> give(T value, int turns = 0) {
  const Living living;
  for (int i = 0; i < turns; ++i) {
    co_await coop::yield();
  }
  co_return value;
}

/// Runs `body`, and logs how it ended.
inline coop::Coroutine<> report(Log* out, std::string name, coop::Coroutine<> body) {
  const Living living;
  try {
    co_await std::move(body);
    out->push_back(name + ": done");
  } catch (...) {
    out->push_back(name + ": " + text_of(std::current_exception()));
  }
}

/// Awaits a task, and logs how it ended.
inline coop::Coroutine<> join(Log* out, std::string name, coop::Handle<void> task) {
  const Living living;
  try {
    co_await task;
    out->push_back(name + ": done");
  } catch (...) {
    out->push_back(name + ": " + text_of(std::current_exception()));
  }
}
