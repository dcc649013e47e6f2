// Boost.Context: tasks with a stack of their own, in a ring.

#include <boost/context/fiber.hpp>
#include <utility>
#include <vector>

#include "measure.hpp"

namespace {

using boost::context::fiber;

fiber yields(Run* run) {
  return fiber([run](fiber&& scheduler) {
    while (run->another_turn()) {
      scheduler = std::move(scheduler).resume();
    }
    return std::move(scheduler);
  });
}

void yield(benchmark::State& state) {
  Run run(state);
  std::vector<fiber> ring(static_cast<std::size_t>(run.tasks()));
  for (fiber& task : ring) task = yields(&run);
  for (bool any = true; any;) {
    any = false;
    for (fiber& task : ring) {
      if (!task) continue;
      task = std::move(task).resume();
      any = true;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return measure(argc, argv, yield);
}
