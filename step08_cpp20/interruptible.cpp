#include <iostream>

#include "generator.hpp"

/// Says when it runs. Article: "Generators as interruptible functions".
Generator<int> one_and_two() {
  for (int i = 1; i <= 2; ++i) {
    std::cout << "running\n";
    co_yield i;
  }
  std::cout << "finished\n";
}

int main() {
  Generator<int> numbers = one_and_two();
  std::cout << "nothing has run yet\n";
  for (numbers.rewind(); numbers.valid(); numbers.next()) {
    std::cout << *numbers.current() << '\n';
  }
}
