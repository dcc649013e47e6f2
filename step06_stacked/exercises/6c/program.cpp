#include <memory>

#include "collatz.hpp"

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<CallingTask>(6, 5));
  scheduler.run();
}
