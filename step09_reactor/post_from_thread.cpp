#include <iostream>
#include <thread>
#include <vector>

#include "coop/uv/trigger.hpp"

using namespace coop;

/// Only the scheduler's thread ever touches it, so it needs no mutex.
struct Counter {
  int value = 0;
  int end = 0;
  Trigger done;
};

/// Runs in another thread. What it posts does not: that runs where the scheduler does.
void count(UvReactor* reactor, Counter* counter, int times) {
  for (int i = 0; i < times; ++i) {
    reactor->post([counter] {
      if (++counter->value == counter->end) counter->done.send();
    });
  }
}

/// A thread may also send a trigger itself. That says "look", but not at what.
Coroutine<> look(Trigger* trigger) {
  co_await trigger->next();
  std::cout << "Somebody has sent the trigger.\n";
}

Coroutine<> program() {
  Counter counter;
  counter.end = 4000;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back(count, &UvReactor::current(), &counter, 1000);
    }
    co_await counter.done.next();
  }
  std::cout << "Four threads have counted to " << counter.value << " together.\n";

  Trigger trigger;
  const Handle<void> waiting = spawn(look(&trigger));
  const std::jthread thread([&trigger] { trigger.send(); });
  co_await waiting;
}

int main() {
  UvReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(program());
}
