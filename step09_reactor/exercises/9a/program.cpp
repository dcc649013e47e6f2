#include <iostream>
#include <string>

#include "coop/timer_reactor.hpp"
#include "coop/wait.hpp"

using namespace coop;

Coroutine<int> work(std::string name, int turns) {
  for (int i = 0; i < turns; ++i) {
    std::cout << name << " works\n";
    co_await suspend();
  }
  std::cout << name << " is done\n";
  co_return turns;
}

Coroutine<> program() {
  std::cout << "the program begins\n";
  const Handle<int> a = spawn(work("A", 2));
  const Handle<int> b = spawn(work("B", 1), Priority::high);
  const int from_c = co_await work("C", 1);
  std::cout << "C has given " << from_c << '\n';
  a->cancel();
  try {
    co_await a;
  } catch (const Cancelled&) {
    std::cout << "A was cancelled\n";
  }
  const int from_b = co_await b;
  std::cout << "B has given " << from_b << '\n';
}

int main() {
  TimerReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(program());
}
