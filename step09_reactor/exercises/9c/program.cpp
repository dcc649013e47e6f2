#include <iostream>
#include <string>

#include "coop/timer_reactor.hpp"
#include "coop/wait.hpp"

using namespace coop;

/// Takes so many turns to find something.
Coroutine<std::string> search(std::string place, int turns) {
  for (int i = 0; i < turns; ++i) {
    std::cout << "searching in " << place << '\n';
    co_await suspend();
  }
  co_return "found in " + place;
}

Coroutine<> program() {
  const Handle<std::string> attic = spawn(search("the attic", 9));
  const Handle<std::string> cellar = spawn(search("the cellar", 2));
  const std::string from_attic = co_await attic;
  std::cout << from_attic << '\n';
  const std::string from_cellar = co_await cellar;
  std::cout << from_cellar << '\n';
}

int main() {
  TimerReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(program());
}
