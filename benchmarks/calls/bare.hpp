#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>

#include "coop/core/ring_buffer.hpp"
#include "measures.hpp"

/// The smallest coroutine: a frame that stores its caller. `co_await` calls it. Exceptions are not
/// handled.
template <typename Frames>
class Bare {
 public:
  struct Return : std::suspend_always {
    template <typename Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
      return ended.promise().caller;
    }
  };

  struct promise_type : Frames {
    std::coroutine_handle<> caller = std::noop_coroutine();

    Bare get_return_object() { return Bare(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    Return final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }
  };
  using Handle = std::coroutine_handle<promise_type>;

  Bare(const Bare&) = delete;
  ~Bare() {
    if (handle_) handle_.destroy();
  }

  /// Returns the frame. The caller must resume and destroy it.
  std::coroutine_handle<> release() { return std::exchange(handle_, nullptr); }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) const noexcept {
    handle_.promise().caller = caller;
    return handle_;
  }
  void await_resume() const noexcept {}

 private:
  explicit Bare(Handle handle) : handle_(handle) {}
  Handle handle_;
};

/// The coroutines that are ready.
using Ring = coop::RingBuffer<std::coroutine_handle<>>;

inline void run(Ring& ring) {
  while (!ring.empty()) {
    const std::coroutine_handle<> next = ring.pop_front();
    next.resume();
    if (next.done()) next.destroy();
  }
}

template <typename Frames>
Bare<Frames> empty(std::int64_t* ended) {
  ++*ended;
  co_return;
}

template <typename Frames>
Bare<Frames> caller(benchmark::State* state, std::int64_t* calls) {
  while (state->KeepRunning()) {
    co_await empty<Frames>(calls);
  }
}

template <typename Frames>
void call(benchmark::State& state) {
  std::int64_t calls = 0;
  Ring ring;
  ring.push_back(caller<Frames>(&state, &calls).release());
  run(ring);
  expect(state, calls);
}

template <typename Frames>
void spawn(benchmark::State& state) {
  std::int64_t ended = 0;
  Ring ring;
  while (state.KeepRunningBatch(spawned_at_once)) {
    for (int i = 0; i < spawned_at_once; ++i) ring.push_back(empty<Frames>(&ended).release());
    run(ring);
  }
  expect(state, ended);
}
