#include <any_catch2.hpp>
#include <exception>
#include <optional>
#include <stdexcept>

#include "generator.hpp"

namespace {

/// Yields 1, 2, 3. If `catches` is true, it catches every exception that is thrown into it, and
/// yields the next number plus 10.
class Numbers final : public Generator<int> {
 public:
  explicit Numbers(bool catches) : catches_(catches) {}

 private:
  bool catches_;
  int i_ = 0;

  std::optional<int> resume(Nothing) override {
    ++i_;
    return i_ <= 3 ? std::optional<int>(i_) : std::nullopt;
  }

  std::optional<int> resume_with_exception(std::exception_ptr error) override {
    if (!catches_) std::rethrow_exception(error);
    ++i_;
    return i_ + 10;
  }
};

const std::exception_ptr error = std::make_exception_ptr(std::runtime_error("disk full"));

}  // namespace

TEST_CASE("throw_into returns the value that a catching body yields next") {
  Numbers numbers(true);
  numbers.next();
  REQUIRE(numbers.throw_into(error).value() == 13);
  REQUIRE(numbers.current().value() == 13);
}

TEST_CASE("throw_into runs a new generator to its first yield before it throws") {
  Numbers numbers(true);
  REQUIRE(numbers.throw_into(error).value() == 12);
}

TEST_CASE("the exception propagates to the caller if the body doesn't catch") {
  Numbers numbers(false);
  REQUIRE_THROWS_WITH(numbers.throw_into(error), "disk full");
}

TEST_CASE("a generator has finished after an exception that its body doesn't catch") {
  Numbers numbers(false);
  REQUIRE_THROWS(numbers.throw_into(error));
  REQUIRE_FALSE(numbers.valid());
  REQUIRE_FALSE(numbers.send({}).has_value());
}

TEST_CASE("throw_into doesn't resume a generator that has finished") {
  Numbers numbers(true);
  while (numbers.valid()) numbers.next();
  REQUIRE_THROWS_WITH(numbers.throw_into(error), "disk full");
  REQUIRE_FALSE(numbers.valid());
}

TEST_CASE("rewind throws after throw_into") {
  Numbers numbers(true);
  numbers.rewind();
  numbers.throw_into(error);
  REQUIRE_THROWS_WITH(numbers.rewind(), "Cannot rewind a generator that was already run");
}
