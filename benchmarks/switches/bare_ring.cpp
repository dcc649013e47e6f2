// The least that a turn can cost in C++20: coroutines with frames from malloc, and a ring of their
// handles.

#include <coroutine>
#include <exception>

#include "coop/core/ring_buffer.hpp"
#include "measure.hpp"

namespace {

struct Bare {
  struct promise_type {
    Bare get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }
  };

  std::coroutine_handle<> handle;
};

Bare yields(Run* run) {
  while (run->another_turn()) {
    co_await std::suspend_always();
  }
}

void yield(benchmark::State& state) {
  Run run(state);
  coop::detail::RingBuffer<std::coroutine_handle<>> ring;
  for (std::int64_t i = 0; i < run.tasks(); ++i) ring.push_back(yields(&run).handle);
  while (!ring.empty()) {
    const std::coroutine_handle<> next = ring.pop_front();
    next.resume();
    if (next.done()) {
      next.destroy();
    } else {
      ring.push_back(next);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return measure(argc, argv, yield);
}
