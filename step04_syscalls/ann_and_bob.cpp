#include "ann_and_bob.hpp"

#include <memory>

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Ann>());
  scheduler.run();
}
