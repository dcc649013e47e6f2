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

/// Starts two tasks in the scope.
Coroutine<> first_course(Scope* kitchen) {
  kitchen->spawn(cook("The soup", 2));
  kitchen->spawn(cook("The bread", 1));
  co_return;
}

/// Starts three tasks in the scope, one of which fails.
Coroutine<> second_course(Scope* kitchen) {
  kitchen->spawn(cook("The curry", 9));
  kitchen->spawn(cook("The rice", 2));
  kitchen->spawn(cook("The salad", 1));
  co_return;
}

Coroutine<> main_task() {
  co_await with_scope(first_course);
  std::cout << "The first course is served.\n";
  try {
    co_await with_scope(second_course);
  } catch (const std::runtime_error& error) {
    std::cout << "No second course: " << error.what() << ".\n";
  }
}

int main() {
  coop::run(main_task());
}
