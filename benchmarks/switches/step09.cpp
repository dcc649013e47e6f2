// Step 9: with a reactor that has nothing to do, as in its own two_tasks.cpp.

#include "coop/core/wait.hpp"
#include "coop/timer_reactor.hpp"
#include "measure.hpp"

namespace {

coop::Coroutine<> yields(Run* run) {
  while (run->another_turn()) {
    co_await coop::yield();
  }
}

void yield(benchmark::State& state) {
  coop::detail::empty_pool();  // otherwise the frames of the measurement before would be used again
  Run run(state);
  coop::TimerReactor reactor;
  coop::Scheduler scheduler(reactor);
  for (std::int64_t i = 0; i < run.tasks(); ++i) scheduler.spawn(yields(&run));
  scheduler.run();
}

}  // namespace

int main(int argc, char** argv) {
  return measure(argc, argv, yield);
}
