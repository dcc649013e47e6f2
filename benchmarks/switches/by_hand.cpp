// Steps 3, 4 and 7: the same program with the headers of each step.

#include <memory>
#include <optional>

#include "measure.hpp"
#include "scheduler.hpp"

namespace {

class Yields final : public Coroutine {
 public:
  explicit Yields(Run& run) : run_(run) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  Run& run_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      while (run_.another_turn()) {
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
    }
    return std::nullopt;
  }
};

void yield(benchmark::State& state) {
  Run run(state);
  Scheduler scheduler;
  for (std::int64_t i = 0; i < run.tasks(); ++i) {
    scheduler.new_task(std::make_shared<Yields>(run));
  }
  scheduler.run();
}

}  // namespace

int main(int argc, char** argv) {
  return measure(argc, argv, yield);
}
