// Step 7: the innermost of ten coroutines that have called each other yields.

#include <memory>
#include <optional>

#include "measure.hpp"
#include "scheduler.hpp"

namespace {

class Yields final : public Coroutine {
 public:
  Yields(Run& run, int depth) : run_(run), depth_(depth) {}

 private:
  enum class State { start, yielded, returned };
  State state_ = State::start;
  Run& run_;
  int depth_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      if (depth_ > 1) {
        state_ = State::returned;
        return Call{std::make_shared<Yields>(run_, depth_ - 1)};
      }
      while (run_.another_turn()) {
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
    case State::returned:;
    }
    return std::nullopt;
  }
};

void yield(benchmark::State& state) {
  Run run(state);
  Scheduler scheduler;
  for (std::int64_t i = 0; i < run.tasks(); ++i) {
    scheduler.new_task(std::make_shared<Yields>(run, 10));
  }
  scheduler.run();
}

}  // namespace

int main(int argc, char** argv) {
  return measure(argc, argv, yield);
}
