// Pitfall: a view of a temporary string.
// clang++ says: warning: object backing the pointer will be destroyed
// AddressSanitizer says: heap-use-after-free
//
// The string is destroyed at the end of the line with the co_await. Store the string, and then
// create the view:
//
//   const std::string name = co_await read_name();
#include <iostream>
#include <string>
#include <string_view>

#include "../scheduler.hpp"

Coroutine<std::string> read_name() {
  co_return "world, which is too long a name to be kept without the heap";
}

Coroutine<> greet() {
  const std::string_view name = co_await read_name();
  co_yield nothing;
  std::cout << "Hello " << name << '\n';
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(greet());
  scheduler.run();
}
