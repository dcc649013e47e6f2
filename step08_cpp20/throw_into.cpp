#include <exception>
#include <iostream>
#include <stdexcept>

#include "generator.hpp"
#include "usage.hpp"

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

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "throw_into   (an exception is thrown into a generator)");

  Generator<Nothing> gen = catching();
  gen.rewind();
  gen.throw_into(std::make_exception_ptr(std::runtime_error("Test")));
}
