#include <exception>
#include <iostream>
#include <optional>
#include <stdexcept>

#include "generator.hpp"
#include "usage.hpp"

/// Catches what is thrown at its yield. Article: "Error handling", gen().
class Catching final : public Generator<Nothing> {
  enum class At { start, in_try } at_ = At::start;

  std::optional<Nothing> resume(Nothing) override {
    switch (at_) {
    case At::start:
      std::cout << "Foo\n";
      at_ = At::in_try;
      return Nothing{};  // try { yield }
    case At::in_try:
      std::cout << "Bar\n";
    }
    return std::nullopt;
  }

  std::optional<Nothing> resume_with(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      std::cout << "Exception: " << e.what() << '\n';
    }
    return resume({});  // and go on behind the try
  }
};

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "throw_into   (an exception is thrown into a generator)");

  Catching gen;
  gen.rewind();
  gen.throw_into(std::make_exception_ptr(std::runtime_error("Test")));
}
