// Pitfall: a range-for over a part of what an await gave, or over a view of it.
// clang++ says: warning: object backing the pointer will be destroyed
// AddressSanitizer says: heap-use-after-free
//
// The loop keeps what stands behind its colon, here the view, but not what that was made from
// (before C++23). Give that a name:
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
