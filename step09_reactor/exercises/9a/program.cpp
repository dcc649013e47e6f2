#include <iostream>
#include <string>

#include "coop/run.hpp"

using namespace coop;

/// Works for some turns, and returns how many.
Coroutine<int> work(std::string name, int turns) {
  for (int i = 0; i < turns; ++i) {
    std::cout << name << " works\n";
    co_await yield();
  }
  std::cout << name << " is done\n";
  co_return turns;
}

Coroutine<> main_task() {
  std::cout << "the program begins\n";
  const Handle<int> a = spawn(work("A", 2));
  const Handle<int> b = spawn(work("B", 1));
  const int from_c = co_await work("C", 1);
  std::cout << "C has returned " << from_c << '\n';
  const Handle<int> d = spawn(work("D", 1));
  d->cancel();
  a->cancel();
  try {
    co_await a;
  } catch (const Cancelled&) {
    std::cout << "A was cancelled\n";
  }
  const int from_b = co_await b;
  std::cout << "B has returned " << from_b << '\n';
}

int main() {
  coop::run(main_task());
}
