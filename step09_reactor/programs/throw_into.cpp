#include <exception>
#include <iostream>
#include <stdexcept>

#include "../coop/run.hpp"

using namespace coop;

/// Catches the exception of the event that it waits for. Article: "Error handling", gen().
Coroutine<> gen(ManualEvent* event) {
  std::cout << "Foo\n";
  try {
    co_await *event;
  } catch (const std::exception& e) {
    std::cout << "Exception: " << e.what() << '\n';
  }
  std::cout << "Bar\n";
}

Coroutine<> main_task() {
  ManualEvent event;
  const Handle<void> task = spawn(gen(&event));
  co_await yield();  // the task runs until it waits
  event.fail(std::make_exception_ptr(std::runtime_error("Test")));
  co_await task;
}

int main() {
  coop::run(main_task());
}
