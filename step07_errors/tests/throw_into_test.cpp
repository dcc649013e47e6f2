#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "generator.hpp"

namespace {

using Log = std::vector<std::string>;

/// Yields 1, 2 and so on, until "end" is sent. Writes to the log what the yields return. Catches
/// `std::invalid_argument` at every yield. If its message is "end", the body ends.
class Catcher final : public Generator<int, std::string> {
 public:
  explicit Catcher(Log& log) : log_(log) {}

 private:
  Log& log_;
  int count_ = 0;

  std::optional<int> resume(std::string sent) override {
    log_.push_back(count_ == 0 ? "start" : "sent " + sent);
    if (sent == "end") return std::nullopt;
    return ++count_;
  }

  std::optional<int> resume_with_exception(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::invalid_argument& e) {
      log_.push_back(std::string("caught ") + e.what());
      if (e.what() == std::string("end")) return std::nullopt;
    }
    return ++count_;
  }
};

/// Yields 1 without end and catches nothing.
class PlainGenerator final : public Generator<int> {
  std::optional<int> resume(Nothing) override { return 1; }
};

std::exception_ptr caught(const char* message) {
  return std::make_exception_ptr(std::invalid_argument(message));
}

std::exception_ptr not_caught(const char* message) {
  return std::make_exception_ptr(std::runtime_error(message));
}

}  // namespace

TEST_CASE("throw_into throws at the current yield and returns the next yielded value", "[step07]") {
  Log log;
  Catcher generator(log);
  REQUIRE(generator.current() == 1);
  REQUIRE(generator.throw_into(caught("a")) == 2);
  REQUIRE(generator.current() == 2);
  REQUIRE(generator.send("b") == 3);
  REQUIRE(log == Log{"start", "caught a", "sent b"});
}

TEST_CASE("a caller cannot change the value that throw_into returns", "[step07]") {
  using Returned = decltype(std::declval<Catcher&>().throw_into(nullptr));
  STATIC_REQUIRE_FALSE(std::is_assignable_v<Returned, int>);
}

TEST_CASE("throw_into runs a fresh generator to its first yield before it throws", "[step07]") {
  Log log;
  Catcher generator(log);
  REQUIRE(generator.throw_into(caught("a")) == 2);
  REQUIRE(log == Log{"start", "caught a"});
}

TEST_CASE("throw_into returns nullopt when the body catches the exception and ends", "[step07]") {
  Log log;
  Catcher generator(log);
  generator.rewind();
  REQUIRE(generator.throw_into(caught("end")) == std::nullopt);
  REQUIRE_FALSE(generator.valid());
}

TEST_CASE(
    "throw_into throws the exception and finishes the generator when the body does not catch it",
    "[step07]") {
  Log log;
  Catcher generator(log);
  generator.rewind();
  REQUIRE_THROWS_WITH(generator.throw_into(not_caught("a")), "a");
  REQUIRE_FALSE(generator.valid());
  REQUIRE(generator.send("b") == std::nullopt);
  REQUIRE(log == Log{"start"});
}

TEST_CASE("throw_into throws the exception and runs nothing when the generator has finished",
          "[step07]") {
  Log log;
  Catcher generator(log);
  generator.send("end");
  REQUIRE_THROWS_WITH(generator.throw_into(caught("a")), "a");
  REQUIRE(log == Log{"start", "sent end"});
}

TEST_CASE("a generator cannot be rewound when an exception was thrown into it", "[step07]") {
  Log log;
  Catcher generator(log);
  generator.rewind();
  generator.throw_into(caught("a"));
  REQUIRE_THROWS_AS(generator.rewind(), std::logic_error);
}

TEST_CASE("a body without a second entry point catches no exception", "[step07]") {
  PlainGenerator generator;
  REQUIRE(generator.current() == 1);
  REQUIRE_THROWS_WITH(generator.throw_into(caught("a")), "a");
  REQUIRE_FALSE(generator.valid());
}
