// Shape: an await_transform() that returns a reference: a copy is awaited.
// Write instead: an awaiter that is returned by value, or no await_transform() at all.
#include "canary.hpp"

/// Never suspends, and remembers that it was awaited.
class Door : public std::suspend_never {
 public:
  bool await_ready() noexcept { return awaited = true; }
  bool awaited = false;
};

/// A coroutine that awaits doors. It runs when it is called, and cleans up after itself.
class Visit {
 public:
  class promise_type {
   public:
    Visit get_return_object() const noexcept { return {}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }
    Door& await_transform(Door& door) const noexcept { return door; }
  };
};

Visit visit(Door* door) {
  co_await *door;
}

int main() {
  Door door;
  visit(&door);
  return door.awaited ? 0 : 1;
}
