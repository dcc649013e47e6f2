// Mistake: using the value of a generator that has finished.
// Build: -std=c++17 -D_GLIBCXX_ASSERTIONS
// It complains: Assertion 'this->_M_is_engaged()' failed
// It ends with: 134
#include <iostream>

#include "../../step01_generators/xrange.hpp"

int main() {
  Xrange numbers(1, 2);
  for (int times = 0; times < 3; ++times, numbers.next()) {
    std::cout << *numbers.current() << std::endl;  // the third time, there is no value
  }
}
