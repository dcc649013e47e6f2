// Pitfall: a coroutine is awaited twice.
// The program says: Task 1 failed: A coroutine can run only once
//
// The first co_await runs the coroutine to its end and destroys its frame. To run it again, call
// the function again:
//
//   co_await work();
//   co_await work();
#include "../scheduler.hpp"

Coroutine<> work() {
  co_yield nothing;
}

Coroutine<> twice() {
  Coroutine<> it = work();
  co_await it;
  co_await it;
}

int main() {
  Scheduler scheduler;
  scheduler.new_task(twice());
  scheduler.run();
}
