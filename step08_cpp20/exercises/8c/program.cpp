#include <iostream>
#include <string>
#include <utility>

#include "scheduler.hpp"

Coroutine<int> twice(int n) {
  std::cout << "twice " << n << " runs\n";
  co_return 2 * n;
}

Coroutine<int> checked(int n) {
  std::cout << "checked " << n << " runs\n";
  return twice(n);
}

Coroutine<> task(std::string name) {
  std::cout << name << " begins\n";
  Coroutine<int> first = twice(1);
  Coroutine<int> second = checked(2);
  Coroutine<int> third = twice(3);
  std::cout << name << " has created three\n";
  const int four = co_await std::move(second);
  std::cout << name << " got " << four << '\n';
  co_yield nothing;
  const int two = co_await std::move(first);
  std::cout << name << " got " << two << '\n';
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(task("A"));
  scheduler.new_task(task("B"));
  std::cout << "both tasks are created\n";
  scheduler.run();
}
