#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "coop/channel.hpp"
#include "coop/for_each.hpp"
#include "probe.hpp"

/// A bit of everything: nested calls, events, timers, handles, for_each, with_finally,
/// with_timeout, protect, switch handlers and microtasks. Its events outlive the scheduler.
struct Scenario {
  coop::ManualEvent go{"go"};
  coop::ManualEvent never{"never"};
  std::vector<coop::Handle<void>> handles;
  int items = 0;
  int finalized = 0;
  int results = 0;
  int switches = 0;
};

namespace scenario {

inline coop::Coroutine<int> compute(Scenario* in, int n) {
  const Living living;
  if (n == 0) {
    co_await in->go;
    co_return 0;
  }
  const int below = co_await compute(in, n - 1);
  co_await coop::yield();
  co_return below + 1;
}

inline coop::Coroutine<> item(Scenario* in, int n) {
  const Living living;
  co_await coop::sleep(std::chrono::milliseconds(n));
  ++in->items;
}

inline coop::Coroutine<> finalize(Scenario* in) {
  const Living living;
  co_await coop::sleep(std::chrono::milliseconds(1));
  ++in->finalized;
}

inline coop::Coroutine<> use(Scenario* in, coop::Handle<int> task) {
  const Living living;
  const int result = co_await task;
  in->results += result;
}

inline coop::Coroutine<> iterate(Scenario* in) {
  const Living living;
  const auto each = [in](int n) { return item(in, n); };
  std::vector<int> numbers;
  for (int i = 0; i < 6; ++i) numbers.push_back(i % 3);
  co_await coop::for_each(std::move(numbers), each, 3);
}

inline coop::Coroutine<> set_go(Scenario* in) {
  const Living living;
  co_await coop::sleep(std::chrono::milliseconds(2));
  in->go.set();
}

/// Waits for what never comes, but not for ever.
inline coop::Coroutine<> time_out(Scenario* in) {
  const Living living;
  try {
    co_await coop::with_timeout(std::chrono::milliseconds(4), until(&in->never));
  } catch (const coop::TimedOut&) {
    coop::Scheduler::current().defer([in] { ++in->results; });
  }
}

inline coop::Coroutine<> main(Scenario* in) {
  const Living living;
  coop::this_task().on_switch([in, more = Living()](coop::Task&, coop::Switch) {
    ++in->switches;
    return true;
  });
  const coop::Handle<int> computing = coop::spawn(compute(in, 3));
  in->handles.push_back(coop::spawn(use(in, computing)));
  in->handles.push_back(coop::spawn(use(in, computing), coop::Priority::high));
  in->handles.push_back(coop::spawn(coop::with_finally(iterate(in), finalize(in))));
  in->handles.push_back(coop::spawn(time_out(in)));
  coop::spawn(set_go(in));
  co_await coop::protect(until(&in->go));
  for (std::size_t i = 0; i < in->handles.size(); ++i) {
    co_await in->handles[i];
  }
}

/// Everything was done.
inline bool is_complete(const Scenario& in) {
  return in.items == 6 && in.finalized == 1 && in.results == 3 + 3 + 1;
}

}  // namespace scenario
