#include <iostream>
#include <stdexcept>
#include <string>

#include "../coop/run.hpp"

using namespace coop;
using namespace std::chrono_literals;

/// Prepares a part of the breakfast. The rice burns.
Coroutine<> prepare(std::string what, Clock::duration time) {
  try {
    co_await sleep(time);
  } catch (const Cancelled&) {
    std::cout << "The " << what << " is taken off the stove.\n";
    throw;
  }
  if (what == "rice") throw std::runtime_error("the rice has burnt");
  std::cout << "The " << what << " is ready.\n";
}

/// Starts three tasks in the scope, one of which fails.
Coroutine<> breakfast(Scope* kitchen) {
  kitchen->spawn(prepare("toast", 300ms));
  kitchen->spawn(prepare("rice", 400ms));
  kitchen->spawn(prepare("coffee", 500ms));
  co_return;
}

Coroutine<> main_task() {
  try {
    co_await with_scope(breakfast);
  } catch (const std::runtime_error& error) {
    std::cout << "No breakfast: " << error.what() << ".\n";
  }
}

int main() {
  coop::run(main_task());
}
