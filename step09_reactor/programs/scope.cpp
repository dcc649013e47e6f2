
#include <iostream>
#include <stdexcept>
#include <string>

#include "../coop/run.hpp"

using namespace coop;

/// Cooks for some turns. The rice burns.
Coroutine<> cook(std::string dish, int turns) {
  try {
    for (int i = 0; i < turns; ++i) {
      co_await yield();
    }
  } catch (const Cancelled&) {
    std::cout << dish << " is taken off the stove.\n";
    throw;
  }
  if (dish == "The rice") throw std::runtime_error("the rice has burnt");
  std::cout << dish << " is ready.\n";
}

/// Waits for all tasks of the scope.
Coroutine<> first_course() {
  Scope scope;
  scope.spawn(cook("The soup", 2));
  scope.spawn(cook("The bread", 1));
  co_await scope.join();
  std::cout << "The first course is served.\n";
}

/// One of the tasks fails.
Coroutine<> second_course() {
  Scope scope;
  scope.spawn(cook("The curry", 9));
  scope.spawn(cook("The rice", 2));
  scope.spawn(cook("The salad", 1));
  co_await scope.join();
  std::cout << "This line is never printed.\n";
}

Coroutine<> main_task() {
  co_await first_course();
  try {
    co_await second_course();
  } catch (const std::runtime_error& error) {
    std::cout << "No second course: " << error.what() << ".\n";
  }
}

int main() {
  coop::run(main_task());
}
