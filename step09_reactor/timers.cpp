#include <algorithm>
#include <chrono>
#include <iostream>
#include <vector>

#include "coop/structured.hpp"
#include "coop/uv/uv_reactor.hpp"

using namespace coop;
using namespace std::chrono_literals;

using Times = std::vector<Clock::time_point>;

/// Waits, and writes down when it should have been woken.
Coroutine<> sleep(Clock::duration time, Times* deadlines) {
  Timer timer(Scheduler::current().reactor(), time);
  co_await wait(timer);
  if (Clock::now() < timer.deadline()) std::cout << "That was too early!\n";
  deadlines->push_back(timer.deadline());
}

/// Many at once, of different lengths, in no order. They wake one by one.
Coroutine<> sleep_many() {
  Times deadlines;
  std::vector<Handle<void>> tasks;
  for (int i = 0; i < 100; ++i) {
    tasks.push_back(spawn(sleep(i * 37 % 50 * 1ms, &deadlines)));
  }
  for (const Handle<void>& task : tasks) {
    co_await task;
  }
  std::cout << deadlines.size() << " tasks were woken, "
            << (std::ranges::is_sorted(deadlines) ? "in the order" : "but not in the order")
            << " of their deadlines.\n";
}

/// Gives up long before the time that `body` would need.
Coroutine<> lose_patience(Coroutine<> body) {
  try {
    co_await with_timeout(10ms, std::move(body));
  } catch (const TimedOut& e) {
    std::cout << "Nobody waits for an hour: " << e.what() << ".\n";
  }
}

Coroutine<> program() {
  co_await sleep_many();
  co_await lose_patience(delay(1h));
  co_await with_timeout(1h, delay(1ms));
  std::cout << "A millisecond fits into an hour.\n";
}

int main() {
  UvReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(program());
}
