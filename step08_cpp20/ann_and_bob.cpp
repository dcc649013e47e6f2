#include "ann_and_bob.hpp"

int main() {
  Scheduler scheduler;
  scheduler.new_task(ann());
  scheduler.run();
}
