#include <iostream>
#include <string>

#include "coop/run.hpp"

using namespace coop;

/// Searches for some turns.
Coroutine<std::string> search(std::string place, int turns) {
  for (int i = 0; i < turns; ++i) {
    std::cout << "searching in " << place << '\n';
    co_await yield();
  }
  co_return "found in " + place;
}

/// Searches in two places.
Coroutine<> search_both(int turns_in_attic, int turns_in_cellar) {
  const Handle<std::string> attic = spawn(search("the attic", turns_in_attic));
  const Handle<std::string> cellar = spawn(search("the cellar", turns_in_cellar));
  const std::string from_attic = co_await attic;
  std::cout << from_attic << '\n';
  const std::string from_cellar = co_await cellar;
  std::cout << from_cellar << '\n';
}

Coroutine<> main_task() {
  try {
    co_await search_both(9, 2);
    co_await search_both(2, 9);
  } catch (const Cancelled&) {
    std::cout << "main_task() ends early: it has awaited a cancelled task\n";
  }
}

int main() {
  coop::run(main_task());
}
