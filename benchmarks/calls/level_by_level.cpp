// The simplest way to call coroutines: each coroutine resumes its callee and yields the callee's
// values. So a value passes through all levels, and so does the resume.

#include <coroutine>
#include <cstdint>
#include <exception>

#include "measures.hpp"

namespace {

class Coroutine {
 public:
  struct promise_type {
    Coroutine get_return_object() {
      return Coroutine(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }
  };

  Coroutine(const Coroutine&) = delete;
  ~Coroutine() { handle_.destroy(); }

  /// Runs to the next yield. Returns false at the end.
  bool resume() const {
    handle_.resume();
    return !handle_.done();
  }

 private:
  explicit Coroutine(std::coroutine_handle<> handle) : handle_(handle) {}
  std::coroutine_handle<> handle_;
};

Coroutine nested(std::int64_t depth, benchmark::State* state, std::int64_t* yields) {
  if (depth > 1) {
    const Coroutine callee = nested(depth - 1, state, yields);
    while (callee.resume()) {
      co_await std::suspend_always();
    }
    co_return;
  }
  while (state->KeepRunning()) {
    co_await std::suspend_always();
    ++*yields;
  }
}

void yield_at_depth(benchmark::State& state) {
  std::int64_t yields = 0;
  const Coroutine outermost = nested(state.range(0), &state, &yields);
  while (outermost.resume()) {
  }
  expect(state, yields);
}

}  // namespace

BENCHMARK(yield_at_depth)->Apply(depths);
