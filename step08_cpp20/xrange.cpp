#include "xrange.hpp"

#include <iostream>

#include "usage.hpp"

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "xrange   (prints the numbers 1 to 1000000)");

  for (const long long number : xrange(1, 1000000)) {
    std::cout << number << '\n';
  }
}
