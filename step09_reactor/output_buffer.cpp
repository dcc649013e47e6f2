#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include "coop/timer_reactor.hpp"
#include "coop/wait.hpp"

using namespace coop;

/// Where say() writes. There is one for the whole program, as there is one std::cout.
std::ostream* sink = &std::cout;

void say(const std::string& text) {
  *sink << text;
}

/// From now on, what the running task says goes into a buffer of its own, whoever else speaks in
/// between; it comes out when the task ends. The sink is changed at each switch, so that say() need
/// not know.
void buffer_output() {
  auto buffer = std::make_shared<std::ostringstream>();
  sink = buffer.get();
  current_task().on_switch([buffer](Task&, Switch what) {
    sink = &std::cout;
    if (what == Switch::enter) sink = buffer.get();
    if (what == Switch::finish) std::cout << buffer->str();
    return Keep::yes;
  });
}

Coroutine<> speak(std::string name, bool buffered) {
  if (buffered) buffer_output();
  for (int i = 1; i <= 3; ++i) {
    say(name + " says line " + std::to_string(i) + ".\n");
    co_await suspend();
  }
}

int main() {
  TimerReactor reactor;
  Scheduler scheduler(reactor);
  for (const bool buffered : {false, true}) {
    std::cout << (buffered ? "Each into a buffer of its own:\n" : "All into one output:\n");
    scheduler.spawn(speak("A", buffered));
    scheduler.spawn(speak("B", buffered));
    scheduler.run();
  }
}
