#include <iostream>

#include "generator.hpp"
#include "usage.hpp"

/// Says when it runs. Article: "Generators as interruptible functions".
Generator<int> one_and_two() {
  for (int i = 1; i <= 2; ++i) {
    std::cout << "running\n";
    co_yield i;
  }
  std::cout << "finished\n";
}

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "interruptible   (shows when a generator's code runs)");

  Generator<int> numbers = one_and_two();
  std::cout << "nothing has run yet\n";
  for (numbers.rewind(); numbers.valid(); numbers.next()) {
    std::cout << *numbers.current() << '\n';
  }
}
