#include "xrange.hpp"

#include <iostream>

int main() {
  for (const long long number : xrange(1, 1000000)) {
    std::cout << number << '\n';
  }
}
