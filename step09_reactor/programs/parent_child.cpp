#include <iostream>

#include "../coop/run.hpp"

using namespace coop;

/// Runs until it is cancelled. Article: "Communicating with the scheduler", childTask().
Coroutine<> child_task() {
  const TaskId id = this_task().id();
  while (true) {
    std::cout << "Child task " << id << " still alive!\n";
    co_await yield();
  }
}

/// Spawns a child and cancels it. Article: "Communicating with the scheduler", task().
Coroutine<> main_task() {
  const TaskId id = this_task().id();
  const Handle<void> child = spawn(child_task());
  for (int i = 1; i <= 6; ++i) {
    std::cout << "Parent task " << id << " iteration " << i << ".\n";
    co_await yield();
    if (i == 3) child->cancel();
  }
}

int main() {
  coop::run(main_task());
}
