#include <iostream>
#include <string>

#include "../coop/run.hpp"

using namespace coop;
using namespace std::chrono_literals;

/// Prepares a part of the breakfast, which takes some time, and returns it.
Coroutine<std::string> prepare(std::string what, Clock::duration time) {
  std::cout << "Preparing the " << what << ".\n";
  co_await sleep(time);
  co_return what;
}

/// Prepares the coffee and the toast.
Coroutine<> main_task() {
  const Handle<std::string> coffee = spawn(prepare("coffee", 500ms));
  const Handle<std::string> toast = spawn(prepare("toast", 300ms));
  std::cout << "Two tasks are spawned. Neither has run yet.\n";
  const std::string first = co_await coffee;
  const std::string second = co_await toast;
  std::cout << "Breakfast: " << first << " and " << second << ".\n";
}

int main() {
  coop::run(main_task());
}
