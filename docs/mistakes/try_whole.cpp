// Not a mistake: a try around a yield that stays whole, which case_in_try.cpp can't have.
// Build: -std=c++17
// It prints: Foo
// It prints: Exception: Test
// It prints: Bar
#include <exception>
#include <iostream>
#include <stdexcept>
#include <utility>

#include "../../step07_errors/generator.hpp"

class Catcher final : public Generator<Nothing> {
  enum class State { start, in_try };
  State state_ = State::start;
  std::exception_ptr error_;

  std::optional<Nothing> resume(Nothing) override {
    switch (state_) {
    case State::start:
      std::cout << "Foo\n";
      [[fallthrough]];
    case State::in_try:  // before the try
      try {
        if (state_ == State::start) {
          state_ = State::in_try;
          return Nothing{};  // yield
        }
        if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
      } catch (const std::exception& e) {
        std::cout << "Exception: " << e.what() << '\n';
      }
      std::cout << "Bar\n";
    }
    return std::nullopt;
  }

  std::optional<Nothing> resume_with_exception(std::exception_ptr error) override {
    error_ = std::move(error);
    return resume({});
  }
};

int main() {
  Catcher gen;
  gen.rewind();
  gen.throw_into(std::make_exception_ptr(std::runtime_error("Test")));
}
