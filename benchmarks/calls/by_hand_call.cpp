// Steps 6 and 7: a coroutine calls another one that returns immediately.

#include <cstdint>
#include <memory>
#include <optional>

#include "measures.hpp"
#include "scheduler.hpp"

namespace {

class Empty final : public Coroutine {
 public:
  explicit Empty(std::int64_t& calls) : calls_(calls) {}

 private:
  std::int64_t& calls_;

  std::optional<Yielded> resume(Value) override {
    ++calls_;
    return std::nullopt;
  }
};

class Caller final : public Coroutine {
 public:
  Caller(benchmark::State& benchmark, std::int64_t& calls) : benchmark_(benchmark), calls_(calls) {}

 private:
  enum class State { start, returned };
  State state_ = State::start;
  benchmark::State& benchmark_;
  std::int64_t& calls_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      while (benchmark_.KeepRunning()) {
        state_ = State::returned;
        return Call{std::make_shared<Empty>(calls_)};  // yield empty()
      case State::returned:;
      }
    }
    return std::nullopt;
  }
};

void call(benchmark::State& state) {
  Scheduler scheduler;
  std::int64_t calls = 0;
  scheduler.new_task(std::make_shared<Caller>(state, calls));
  scheduler.run();
  expect(state, calls);
}

}  // namespace

BENCHMARK(call);
