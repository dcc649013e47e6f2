#include <exception>
#include <iostream>
#include <stdexcept>

#include "generator.hpp"

/// Catches what is thrown at its yield. Article: "Error handling", gen().
Generator<Nothing> catching() {
  std::cout << "Foo\n";
  try {
    co_yield nothing;
  } catch (const std::exception& e) {
    std::cout << "Exception: " << e.what() << '\n';
  }
  std::cout << "Bar\n";
}

int main() {
  Generator<Nothing> gen = catching();
  gen.rewind();
  gen.throw_into(std::make_exception_ptr(std::runtime_error("Test")));
}
