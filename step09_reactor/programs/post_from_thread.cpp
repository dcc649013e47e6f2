#include <future>
#include <iostream>
#include <vector>

#include "../coop/run.hpp"
#include "../coop/uv/thread.hpp"

using namespace coop;

/// Only the scheduler's thread uses it, so it needs no mutex.
struct Counter {
  int value = 0;
  Trigger done;
};

/// Runs in another thread. The functions that it posts run in the scheduler's thread.
void count(UvReactor* reactor, Counter* counter) {
  for (int i = 0; i < 1000; ++i) {
    reactor->post([counter] {
      if (++counter->value == 4000) counter->done.send();
    });
  }
}

Coroutine<> main_task() {
  Counter counter;
  std::vector<std::future<void>> threads;  // whose destructors wait for their ends
  for (int i = 0; i < 4; ++i) {
    threads.push_back(std::async(std::launch::async, count, &UvReactor::current(), &counter));
  }
  co_await counter.done;
  std::cout << "Four threads have counted to " << counter.value << ".\n";
}

int main() {
  coop::run(main_task());
}
