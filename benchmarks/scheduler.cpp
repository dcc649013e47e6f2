// What the scheduler of step 9 costs, beside the least that it could cost: a bare ring of coroutine
// handles, and a coroutine whose frame comes from the same pool.

#include <benchmark/benchmark.h>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>

#include "coop/frame_pool.hpp"
#include "coop/ring_buffer.hpp"
#include "coop/timer_reactor.hpp"
#include "coop/wait.hpp"

namespace {

/// A coroutine and nothing else, with a frame from the pool.
class Bare {
 public:
  struct promise_type {
    static void* operator new(std::size_t size) { return coop::allocate_frame(size); }
    static void operator delete(void* frame, std::size_t size) noexcept {
      coop::release_frame(frame, size);
    }
    Bare get_return_object() {
      return Bare(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }
  };

  std::coroutine_handle<> handle() const { return handle_; }

 private:
  explicit Bare(std::coroutine_handle<> handle) : handle_(handle) {}
  std::coroutine_handle<> handle_;
};

Bare bare_yields(std::int64_t turns) {
  for (std::int64_t i = 0; i < turns; ++i) {
    co_await std::suspend_always();
  }
}

Bare bare_nothing() {
  co_return;
}

coop::Coroutine<> yields(std::int64_t turns) {
  for (std::int64_t i = 0; i < turns; ++i) {
    co_await coop::suspend();
  }
}

coop::Coroutine<> nothing() {
  co_return;
}

constexpr std::int64_t turns_each = 1000;

void yield_in_a_bare_ring(benchmark::State& state) {
  const std::int64_t tasks = state.range(0);
  for (auto _ : state) {
    coop::RingBuffer<std::coroutine_handle<>> ring;
    for (std::int64_t i = 0; i < tasks; ++i) ring.push_back(bare_yields(turns_each).handle());
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
  state.SetItemsProcessed(state.iterations() * tasks * turns_each);
}

void yield_in_the_scheduler(benchmark::State& state) {
  const std::int64_t tasks = state.range(0);
  for (auto _ : state) {
    coop::TimerReactor reactor;
    coop::Scheduler scheduler(reactor);
    for (std::int64_t i = 0; i < tasks; ++i) scheduler.spawn(yields(turns_each));
    scheduler.run();
  }
  state.SetItemsProcessed(state.iterations() * tasks * turns_each);
}

void make_and_destroy_a_frame(benchmark::State& state) {
  for (auto _ : state) {
    const std::coroutine_handle<> made = bare_nothing().handle();
    benchmark::DoNotOptimize(made.address());
    made.resume();
    made.destroy();
  }
}

coop::Coroutine<> call_many(benchmark::State* state) {
  while (state->KeepRunning()) {
    co_await nothing();
  }
}

void call_and_return(benchmark::State& state) {
  coop::TimerReactor reactor;
  coop::Scheduler scheduler(reactor);
  scheduler.run(call_many(&state));
}

coop::Coroutine<> spawn_many(benchmark::State* state) {
  while (state->KeepRunningBatch(16)) {
    for (int i = 0; i < 16; ++i) {
      coop::spawn(nothing());
    }
    co_await coop::suspend();
  }
}

void spawn_and_finish(benchmark::State& state) {
  coop::TimerReactor reactor;
  coop::Scheduler scheduler(reactor);
  scheduler.run(spawn_many(&state));
}

}  // namespace

BENCHMARK(yield_in_a_bare_ring)->Arg(2)->Arg(1000)->Arg(100000);
BENCHMARK(yield_in_the_scheduler)->Arg(2)->Arg(1000)->Arg(100000);
BENCHMARK(make_and_destroy_a_frame);
BENCHMARK(call_and_return);
BENCHMARK(spawn_and_finish);

BENCHMARK_MAIN();
