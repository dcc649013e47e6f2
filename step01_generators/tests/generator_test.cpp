#include "generator.hpp"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "range_for.hpp"

namespace {

using Log = std::vector<std::string>;

/// Yields 1 to `count` and writes to the log what it does. The log has a line for its destruction.
class Counting final : public Generator<int> {
 public:
  Counting(Log& log, int count, std::shared_ptr<void> local = nullptr)
      : log_(log), count_(count), local_(std::move(local)) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  Log& log_;
  int count_, i_ = 0;
  std::shared_ptr<void> local_;

  std::optional<int> resume() override {
    switch (state_) {
    case State::start:
      log_.push_back("start");
      for (i_ = 1; i_ <= count_; ++i_) {
        state_ = State::yielded;
        return i_;  // yield i
      case State::yielded:
        log_.push_back("after " + std::to_string(i_));
      }
    }
    log_.push_back("end");
    return std::nullopt;
  }
};

/// Yields 1, then throws.
class Throwing final : public Generator<int> {
  enum class State { start, yielded };
  State state_ = State::start;

  std::optional<int> resume() override {
    switch (state_) {
    case State::start:
      state_ = State::yielded;
      return 1;  // yield 1
    case State::yielded:
      throw std::runtime_error("from the body");
    }
    return std::nullopt;
  }
};

const std::string cannot_rewind = "Cannot rewind a generator that was already run";

}  // namespace

TEST_CASE("creating a generator runs nothing", "[step01]") {
  Log log;
  Counting generator(log, 2);
  REQUIRE(log.empty());
}

TEST_CASE("the first use of a generator runs the body to its first yield", "[step01]") {
  Log log;
  Counting generator(log, 2);
  SECTION("rewind") {
    generator.rewind();
  }
  SECTION("valid") {
    REQUIRE(generator.valid());
  }
  SECTION("current") {
    REQUIRE(generator.current() == 1);
  }
  REQUIRE(log == Log{"start"});
  REQUIRE(generator.current() == 1);
  REQUIRE(log == Log{"start"});
}

TEST_CASE("next loses the first value of a generator that has not been started", "[step01]") {
  Log log;
  Counting generator(log, 2);
  generator.next();
  REQUIRE(generator.current() == 2);
  REQUIRE(log == Log{"start", "after 1"});
}

TEST_CASE("next runs the body to its next yield or to its end", "[step01]") {
  Log log;
  Counting generator(log, 2);
  REQUIRE(generator.current() == 1);
  generator.next();
  REQUIRE(log == Log{"start", "after 1"});
  REQUIRE(generator.valid());
  generator.next();
  REQUIRE(log == Log{"start", "after 1", "after 2", "end"});
  REQUIRE_FALSE(generator.valid());
}

TEST_CASE("a finished generator has no value and next does nothing", "[step01]") {
  Log log;
  Counting generator(log, 1);
  generator.next();
  const Log before = log;
  generator.next();
  REQUIRE(generator.current() == std::nullopt);
  REQUIRE_FALSE(generator.valid());
  REQUIRE(log == before);
}

TEST_CASE("a body without a yield is an empty generator", "[step01]") {
  Log log;
  Counting generator(log, 0);
  REQUIRE_FALSE(generator.valid());
  REQUIRE_NOTHROW(generator.rewind());
  REQUIRE(log == Log{"start", "end"});
}

TEST_CASE("rewind does nothing at the first yield and throws after it", "[step01]") {
  Log log;
  Counting generator(log, 2);
  generator.rewind();
  generator.rewind();
  REQUIRE(generator.current() == 1);
  generator.next();
  REQUIRE_THROWS_WITH(generator.rewind(), cannot_rewind);
  REQUIRE(generator.current() == 2);
  generator.next();
  REQUIRE_THROWS_WITH(generator.rewind(), cannot_rewind);
}

TEST_CASE("a body that throws has finished", "[step01]") {
  Throwing generator;
  REQUIRE(generator.current() == 1);
  REQUIRE_THROWS_WITH(generator.next(), "from the body");
  REQUIRE_FALSE(generator.valid());
  REQUIRE(generator.current() == std::nullopt);
  REQUIRE_NOTHROW(generator.next());
  REQUIRE_THROWS_WITH(generator.rewind(), cannot_rewind);
}

TEST_CASE("destroying a generator destroys its locals and runs nothing", "[step01]") {
  Log log;
  const auto local = std::make_shared<int>(0);
  {
    Counting fresh(log, 3, local), suspended(log, 3, local);
    suspended.rewind();
    log.clear();
    REQUIRE(local.use_count() == 3);
  }
  REQUIRE(local.use_count() == 1);
  REQUIRE(log.empty());
}

TEST_CASE("a value can be moved out of a generator", "[step01]") {
  class Boxes final : public Generator<std::unique_ptr<int>> {
    std::optional<std::unique_ptr<int>> resume() override { return std::make_unique<int>(7); }
  };
  Boxes boxes;
  const std::unique_ptr<int> box = *boxes.take();
  REQUIRE(*box == 7);
  REQUIRE(*boxes.current() == nullptr);
}

TEST_CASE("a caller cannot change which value a generator has", "[step01]") {
  using Returned = decltype(std::declval<Counting&>().current());
  STATIC_REQUIRE_FALSE(std::is_assignable_v<Returned, int>);
}

TEST_CASE("range-for visits every value once", "[step01]") {
  Log log;
  std::vector<int> values;
  Counting generator(log, 3);
  for (const int value : generator) values.push_back(value);
  REQUIRE(values == std::vector<int>{1, 2, 3});
  REQUIRE_THROWS_WITH(begin(generator), cannot_rewind);
}

TEST_CASE("range-for resumes no further than its break", "[step01]") {
  Log log;
  Counting generator(log, 3);
  for (const int value : generator) {
    if (value == 2) break;
  }
  REQUIRE(log == Log{"start", "after 1"});
}
