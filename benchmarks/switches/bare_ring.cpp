// The least that taking turns can cost in C++20: coroutines whose frames come from malloc, and a
// ring of their handles.

#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>

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

/// As many slots as are needed, rounded up to a power of two.
class Ring {
 public:
  explicit Ring(std::size_t most) {
    while (mask_ + 1 < most) mask_ = 2 * mask_ + 1;
    slots_ = std::make_unique<std::coroutine_handle<>[]>(mask_ + 1);
  }
  bool empty() const { return head_ == tail_; }
  void push_back(std::coroutine_handle<> handle) { slots_[tail_++ & mask_] = handle; }
  std::coroutine_handle<> pop_front() { return slots_[head_++ & mask_]; }

 private:
  std::size_t mask_ = 0;
  std::unique_ptr<std::coroutine_handle<>[]> slots_;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

void yield(benchmark::State& state) {
  Run run(state);
  Ring ring(static_cast<std::size_t>(run.tasks()));
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
