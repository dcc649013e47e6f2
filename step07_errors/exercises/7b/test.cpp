#include <any_catch2.hpp>
#include <exception>
#include <optional>
#include <stdexcept>

#include "generator.hpp"

namespace {

/// Yields 1, 2, 3; yields 10 more for each exception that is thrown into it, if it catches.
class Counting final : public Generator<int> {
 public:
  explicit Counting(bool catches) : catches_(catches) {}

 private:
  bool catches_;
  int i_ = 0;

  std::optional<int> resume(Nothing) override {
    ++i_;
    return i_ <= 3 ? std::optional<int>(i_) : std::nullopt;
  }

  std::optional<int> resume_with(std::exception_ptr error) override {
    if (!catches_) std::rethrow_exception(error);
    return i_ + 10;
  }
};

const std::exception_ptr oh = std::make_exception_ptr(std::runtime_error("oh"));

}  // namespace

TEST_CASE("the body that catches goes on, and what it yields next is returned") {
  Counting numbers(true);
  numbers.next();
  REQUIRE(numbers.throw_into(oh).value() == 12);
  REQUIRE(numbers.current().value() == 12);
}

TEST_CASE("a fresh generator runs to its first yield, and the exception is thrown there") {
  Counting numbers(true);
  REQUIRE(numbers.throw_into(oh).value() == 11);
}

TEST_CASE("from a body that does not catch the exception comes back, and it has ended") {
  Counting numbers(false);
  REQUIRE_THROWS_WITH(numbers.throw_into(oh), "oh");
  REQUIRE_FALSE(numbers.valid());
}

TEST_CASE("from a generator that has ended, the exception comes straight back") {
  Counting numbers(true);
  while (numbers.valid()) numbers.next();
  REQUIRE_THROWS_WITH(numbers.throw_into(oh), "oh");
}
