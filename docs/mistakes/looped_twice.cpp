// Mistake: a second loop over the same generator.
// Build: -std=c++17
// It prints: 6
// It complains: terminate called after throwing an instance of 'std::logic_error'
// It complains: what():  Cannot rewind a generator that was already run
// It ends with: 134
#include <iostream>

#include "../../step01_generators/range_for.hpp"
#include "../../step01_generators/xrange.hpp"

int sum(Xrange& numbers) {
  int total = 0;
  for (const int number : numbers) total += number;
  return total;
}

int main() {
  Xrange numbers(1, 3);
  std::cout << sum(numbers) << std::endl;
  std::cout << sum(numbers) << std::endl;  // it has finished
}
