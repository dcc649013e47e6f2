#include <iostream>
#include <stdexcept>
#include <string>

#include "range_for.hpp"
#include "xrange.hpp"

void print(const std::string& title, Xrange numbers) {
  std::cout << title << ':';
  for (const int number : numbers) std::cout << ' ' << number;
  std::cout << '\n';
}

int main() {
  print("up", Xrange(1, 5, 2));
  print("up, nothing", Xrange(5, 1, 2));
  print("down", Xrange(5, 1, -2));
  print("down, not exactly to the end", Xrange(5, 2, -2));
  try {
    const Xrange endless(1, 5, 0);
    std::cout << "step 0: accepted\n";
  } catch (const std::invalid_argument&) {
    std::cout << "step 0: rejected\n";
  }
}
