// Steps 6 and 7: coroutines call each other, and the innermost yields, again and again.

#include <cstdint>
#include <memory>
#include <optional>

#include "measures.hpp"
#include "scheduler.hpp"

namespace {

class Nested final : public Coroutine {
 public:
  Nested(std::int64_t depth, benchmark::State& benchmark, std::int64_t& yields)
      : depth_(depth), benchmark_(benchmark), yields_(yields) {}

 private:
  enum class State { start, yielded, returned };
  State state_ = State::start;
  std::int64_t depth_;
  benchmark::State& benchmark_;
  std::int64_t& yields_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      if (depth_ > 1) {
        state_ = State::returned;
        return Call{
            std::make_shared<Nested>(depth_ - 1, benchmark_, yields_)};  // yield nested(...)
      }
      while (benchmark_.KeepRunning()) {
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:
        ++yields_;
      }
      break;
    case State::returned:
      break;
    }
    return std::nullopt;
  }
};

void yield_at_depth(benchmark::State& state) {
  Scheduler scheduler;
  std::int64_t yields = 0;
  scheduler.new_task(std::make_shared<Nested>(state.range(0), state, yields));
  scheduler.run();
  expect(state, yields);
}

}  // namespace

BENCHMARK(yield_at_depth)->Apply(depths);
