// The least that each construct can cost: handles in a ring, and frames from the heap.

#include "bare.hpp"

#include <cstddef>
#include <vector>

namespace {

struct Heap {};
using Coroutine = Bare<Heap>;

/// A request and its answer. The loop that runs the ring checks for a request after each turn.
struct GetId : std::suspend_always {
  explicit GetId(GetId** asked) : asked_(asked) {}
  void await_suspend(std::coroutine_handle<> caller) noexcept {
    caller_ = caller;
    *asked_ = this;
  }
  std::int64_t await_resume() const noexcept { return answer_; }

  GetId** asked_;
  std::coroutine_handle<> caller_;
  std::int64_t answer_ = 0;
};

Coroutine ask_for_id(GetId** asked, benchmark::State* state, std::int64_t* answers) {
  while (state->KeepRunning()) {
    const std::int64_t id = co_await GetId(asked);
    *answers += id;
  }
}

void system_call(benchmark::State& state) {
  std::int64_t answers = 0;
  GetId* asked = nullptr;
  Ring ring;
  ring.push_back(ask_for_id(&asked, &state, &answers).release());
  while (!ring.empty()) {
    const std::coroutine_handle<> next = ring.pop_front();
    next.resume();
    if (next.done()) next.destroy();
    if (GetId* const request = std::exchange(asked, nullptr)) {
      request->answer_ = 1;
      ring.push_back(request->caller_);
    }
  }
  expect(state, answers);
}

/// Suspends the coroutine and puts it back into the ring.
struct Yield : std::suspend_always {
  explicit Yield(Ring* ring) : ring_(ring) {}
  void await_suspend(std::coroutine_handle<> caller) const { ring_->push_back(caller); }
  Ring* ring_;
};

Coroutine nested(std::int64_t depth, Ring* ring, benchmark::State* state, std::int64_t* yields) {
  if (depth > 1) {
    co_await nested(depth - 1, ring, state, yields);
    co_return;
  }
  while (state->KeepRunning()) {
    co_await Yield(ring);
    ++*yields;
  }
}

/// Only the innermost coroutine is in the ring. Its return resumes the others, so this function
/// destroys the outermost one.
void yield_at_depth(benchmark::State& state) {
  std::int64_t yields = 0;
  Ring ring;
  const std::coroutine_handle<> outermost =
      nested(state.range(0), &ring, &state, &yields).release();
  ring.push_back(outermost);
  while (!ring.empty()) ring.pop_front().resume();
  outermost.destroy();
  expect(state, yields);
}

/// Counts its destruction.
struct Counted {
  explicit Counted(std::int64_t* counter) : counter_(counter) {}
  Counted(const Counted&) = delete;
  ~Counted() { ++*counter_; }
  std::int64_t* counter_;
};

Coroutine wait_forever(std::int64_t* killed) {
  const Counted counted(killed);
  co_await std::suspend_always();
}

class Tasks {
 public:
  explicit Tasks(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      handles_.push_back(wait_forever(&killed_).release());
      handles_.back().resume();
    }
  }

  std::int64_t kill(const std::vector<std::size_t>& order) {
    for (const std::size_t i : order) handles_[i].destroy();
    return killed_;
  }

 private:
  std::int64_t killed_ = 0;
  std::vector<std::coroutine_handle<>> handles_;
};

}  // namespace

BENCHMARK(system_call);
BENCHMARK(yield_at_depth)->Apply(depths);
BENCHMARK(call<Heap>)->Name("call");
BENCHMARK(measure_kill<Tasks>)->Name("kill")->Apply(numbers_of_tasks);
BENCHMARK(spawn<Heap>)->Name("spawn");
