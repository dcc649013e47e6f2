// Steps 3, 4 and 7: the same program, with the headers of each.

#include <memory>
#include <optional>

#include "measure.hpp"
#include "scheduler.hpp"

namespace {

class Yields final : public Coroutine {
 public:
  explicit Yields(Run& run) : run_(run) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  Run& run_;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      while (run_.another_turn()) {
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:;
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
