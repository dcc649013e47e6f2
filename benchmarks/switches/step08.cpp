// Step 8: the compiler writes the state machine.

#include "measure.hpp"
#include "scheduler.hpp"

namespace {

Coroutine<> yields(Run* run) {
  while (run->another_turn()) {
    co_yield nothing;
  }
}

void yield(benchmark::State& state) {
  Run run(state);
  Scheduler scheduler;
  for (std::int64_t i = 0; i < run.tasks(); ++i) scheduler.new_task(yields(&run));
  scheduler.run();
}

}  // namespace

int main(int argc, char** argv) {
  return measure(argc, argv, yield);
}
