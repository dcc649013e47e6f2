#include <cstddef>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coop/timer_reactor.hpp"
#include "coop/wait.hpp"

using namespace coop;

/// What is still to be closed at the end of the program. A destructor cannot wait; these can.
struct Finalizers {
  std::vector<std::function<Coroutine<>()>> list;
  std::size_t next = 0;
};

/// Runs the finalizers, one after the other. If one of them suspends, the others need not wait for
/// it: a task that comes before all others goes on with the walk, and this one only ends what it
/// has begun.
///
/// TrueAsync page, row 44 of the chapter's table.
Coroutine<> walk(std::shared_ptr<Finalizers> all) {
  const auto replaced = std::make_shared<bool>(false);
  current_task().on_switch([all, replaced](Task& task, Switch what) {
    if (what == Switch::leave) {
      *replaced = true;
      task.scheduler().spawn(walk(all), Priority::high);
    }
    return Keep::no;
  });
  while (!*replaced && all->next < all->list.size()) {
    const auto finalizer = all->list[all->next++];
    co_await finalizer();
  }
}

Coroutine<> close(std::string name, int turns) {
  std::cout << name << " begins to close.\n";
  for (int i = 0; i < turns; ++i) {
    co_await suspend();
  }
  std::cout << name << " is closed.\n";
}

int main() {
  const auto all = std::make_shared<Finalizers>();
  all->list = {[] { return close("The cache", 0); }, [] { return close("The database", 3); },
               [] { return close("The log", 1); }, [] { return close("The lamp", 0); }};
  TimerReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(walk(all));
}
