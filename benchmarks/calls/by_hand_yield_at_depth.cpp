// Steps 6 and 7: coroutines call each other, and the innermost yields, again and again.

#include <cstdint>
#include <memory>
#include <optional>

#include "measures.hpp"
#include "scheduler.hpp"

namespace {

class Nested final : public Coroutine {
 public:
  Nested(std::int64_t depth, benchmark::State& state, std::int64_t& yields)
      : depth_(depth), state_(state), yields_(yields) {}

 private:
  enum class At { start, yielded, returned } at_ = At::start;
  std::int64_t depth_;
  benchmark::State& state_;
  std::int64_t& yields_;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      if (depth_ > 1) {
        at_ = At::returned;
        return Call{std::make_shared<Nested>(depth_ - 1, state_, yields_)};  // yield nested(...)
      }
      while (state_.KeepRunning()) {
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:
        ++yields_;
      }
      break;
    case At::returned:
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
