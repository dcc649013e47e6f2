
#include <array>
#include <cstddef>
#include <iostream>
#include <string>

#include "../coop/run.hpp"

using namespace coop;
using namespace std::chrono_literals;

/// Searches for some turns.
Coroutine<> search(std::string place, int turns) {
  try {
    for (int i = 1; i <= turns; ++i) {
      std::cout << "Searching in " << place << ", turn " << i << ".\n";
      co_await yield();
    }
  } catch (const Cancelled&) {
    std::cout << "No longer searching in " << place << ".\n";
    throw;
  }
}

/// Waits for two searches and for a timer, until one of the three has finished.
Coroutine<> main_task() {
  const std::array results{"Found in the attic.", "Found in the cellar.", "Not found for an hour."};
  Timer timer(1h);
  const std::size_t first = co_await any_of(search("the attic", 9), search("the cellar", 2), timer);
  std::cout << results[first] << '\n';
}

int main() {
  coop::run(main_task());
}
