#include <chrono>
#include <csignal>
#include <iostream>
#include <string>

#include "coop/structured.hpp"
#include "coop/uv/signal.hpp"

using namespace coop;
using namespace std::chrono_literals;

Coroutine<> hear(std::string name) {
  std::cout << name << " listens.\n";
  co_await signal(SIGUSR1);
  std::cout << name << " has heard SIGUSR1.\n";
}

/// All who wait for a signal are told. Without them it would end the program.
Coroutine<> hear_together() {
  const Handle<void> first = spawn(hear("The first"));
  const Handle<void> second = spawn(hear("The second"));
  co_await suspend();  // now both listen
  std::raise(SIGUSR1);
  co_await first;
  co_await second;
}

/// A signal may never come; a task that waits for it can be cancelled like any other.
Coroutine<> hear_nothing() {
  try {
    co_await with_timeout(10ms, signal(SIGTERM));
  } catch (const TimedOut& e) {
    std::cout << "No SIGTERM: " << e.what() << ".\n";
  }
}

/// And this one comes to nobody.
Coroutine<> hear_the_last_one() {
  try {
    co_await signal(SIGKILL);
  } catch (const UvError& e) {
    std::cout << "No SIGKILL: " << e.what() << '\n';
  }
}

Coroutine<> program() {
  co_await hear_together();
  co_await hear_nothing();
  co_await hear_the_last_one();
}

int main() {
  UvReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(program());
}
