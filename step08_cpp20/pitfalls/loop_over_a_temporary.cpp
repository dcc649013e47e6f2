// Pitfall: a range-for loop over a view of a temporary string.
// clang++ says: warning: object backing the pointer will be destroyed
// AddressSanitizer says: heap-use-after-free
//
// Before C++23, the loop keeps only the view, and the string is destroyed before the first
// iteration. Store the string in a variable:
//
//   const std::string name = co_await read_name();
//   for (const char letter : name) ...
#include <iostream>
#include <string>
#include <string_view>

#include "../scheduler.hpp"

Coroutine<std::string> read_name() {
  co_return "world, which is too long a name to be kept without the heap";
}

Coroutine<> spell() {
  for (const char letter : std::string_view(co_await read_name())) {
    std::cout << letter << '\n';
    co_yield nothing;
  }
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(spell());
  scheduler.run();
}
