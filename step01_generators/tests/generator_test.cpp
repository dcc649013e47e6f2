#include "generator.hpp"

#include <algorithm>
#include <any_catch2.hpp>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Log = std::vector<std::string>;

/// Yields 1 to `count` and writes down what happens. `alive` shows how long its locals live.
class Noting final : public Generator<int> {
 public:
  Noting(Log& log, int count, std::shared_ptr<int> alive = nullptr)
      : log_(log), count_(count), alive_(std::move(alive)) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  Log& log_;
  int count_, i_ = 0;
  std::shared_ptr<int> alive_;

  std::optional<int> resume() override {
    switch (at_) {
    case At::start:
      log_.push_back("start");
      for (i_ = 1; i_ <= count_; ++i_) {
        at_ = At::yielded;
        return i_;
      case At::yielded:
        log_.push_back("after " + std::to_string(i_));
      }
    }
    log_.push_back("end");
    return std::nullopt;
  }
};

/// Yields once, then throws.
class Throwing final : public Generator<int> {
  enum class At { start, yielded } at_ = At::start;

  std::optional<int> resume() override {
    switch (at_) {
    case At::start:
      at_ = At::yielded;
      return 1;
    case At::yielded:
      throw std::runtime_error("from the body");
    }
    return std::nullopt;
  }
};

/// Uses itself while it runs, as `use` says.
template <typename Use>
class SelfUsing final : public Generator<int> {
 public:
  explicit SelfUsing(Use use) : use_(use) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  Use use_;

  std::optional<int> resume() override {
    switch (at_) {
    case At::start:
      at_ = At::yielded;
      return 1;
    case At::yielded:
      use_(*this);
    }
    return std::nullopt;
  }
};

const std::string cannot_rewind = "Cannot rewind a generator that was already run";
const std::string already_running = "Cannot resume an already running generator";

template <typename Function>
std::string message_of(Function function) {
  try {
    function();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("constructing a generator runs nothing", "[step01]") {
  Log log;
  Noting generator(log, 2);
  REQUIRE(log.empty());
}

TEST_CASE("each first use runs the body to its first yield", "[step01]") {
  Log log;
  Noting generator(log, 2);
  SECTION("rewind") {
    generator.rewind();
  }
  SECTION("valid") {
    REQUIRE(generator.valid());
  }
  SECTION("current") {
    REQUIRE(generator.current() == 1);
  }
  SECTION("begin") {
    REQUIRE(*generator.begin() == 1);
  }
  REQUIRE(log == Log{"start"});
  REQUIRE(generator.current() == 1);
  REQUIRE(log == Log{"start"});
}

TEST_CASE("next on a fresh generator loses the first value", "[step01]") {
  Log log;
  Noting generator(log, 2);
  generator.next();
  REQUIRE(generator.current() == 2);
  REQUIRE(log == Log{"start", "after 1"});
}

TEST_CASE("the body runs piece by piece, and no further than asked", "[step01]") {
  Log log;
  Noting generator(log, 2);
  REQUIRE(generator.current() == 1);
  generator.next();
  REQUIRE(log == Log{"start", "after 1"});
  REQUIRE(generator.valid());
  generator.next();
  REQUIRE(log == Log{"start", "after 1", "after 2", "end"});
  REQUIRE_FALSE(generator.valid());
}

TEST_CASE("after the end there is no value, and next does nothing", "[step01]") {
  Log log;
  Noting generator(log, 1);
  generator.next();
  const Log ended = log;
  generator.next();
  REQUIRE(generator.current() == std::nullopt);
  REQUIRE_FALSE(generator.valid());
  REQUIRE(log == ended);
}

TEST_CASE("a body without a yield is an empty generator", "[step01]") {
  Log log;
  Noting generator(log, 0);
  for (const int value : generator) FAIL("yielded " << value);
  REQUIRE(log == Log{"start", "end"});
  REQUIRE_NOTHROW(generator.rewind());
  generator.next();
  REQUIRE_NOTHROW(generator.rewind());
}

TEST_CASE("rewind at the first yield does nothing, after it it throws", "[step01]") {
  Log log;
  Noting generator(log, 2);
  generator.rewind();
  generator.rewind();
  REQUIRE(generator.current() == 1);
  generator.next();
  REQUIRE(message_of([&] { generator.rewind(); }) == cannot_rewind);
  REQUIRE(generator.current() == 2);
  generator.next();
  REQUIRE(message_of([&] { generator.rewind(); }) == cannot_rewind);
}

TEST_CASE("range-for is single pass", "[step01]") {
  Log log;
  Noting generator(log, 3);
  std::vector<int> values;
  for (const int value : generator) values.push_back(value);
  REQUIRE(values == std::vector<int>{1, 2, 3});
  REQUIRE(message_of([&] { generator.begin(); }) == cannot_rewind);
}

TEST_CASE("the standard algorithms take it as an input range", "[step01]") {
  Log log;
  Noting sum(log, 4), found(log, 4), copied(log, 2), counted(log, 3);
  REQUIRE(std::accumulate(sum.begin(), sum.end(), 0) == 10);
  REQUIRE(*std::find(found.begin(), found.end(), 3) == 3);
  REQUIRE(found.current() == 3);
  REQUIRE(std::vector<int>(copied.begin(), copied.end()) == std::vector<int>{1, 2});
  REQUIRE(std::distance(counted.begin(), counted.end()) == 3);
}

TEST_CASE("an iterator reaches into the value, and the value can be moved out", "[step01]") {
  class Words final : public Generator<std::string> {
    bool done_ = false;
    std::optional<std::string> resume() override {
      if (std::exchange(done_, true)) return std::nullopt;
      return "a string that is too long to be kept inside of a std::string";
    }
  };
  Words words;
  REQUIRE(words.begin()->size() == 60);
  const char* const bytes = words.current()->data();
  const std::string moved = std::move(*words.current());
  REQUIRE(moved.data() == bytes);
  REQUIRE(words.valid());
}

TEST_CASE("an exception finishes the generator, then reaches the caller", "[step01]") {
  Throwing generator;
  REQUIRE(generator.current() == 1);
  REQUIRE_THROWS_AS(generator.next(), std::runtime_error);
  REQUIRE_FALSE(generator.valid());
  REQUIRE(generator.current() == std::nullopt);
  REQUIRE_NOTHROW(generator.next());
  REQUIRE(message_of([&] { generator.rewind(); }) == cannot_rewind);
}

TEST_CASE("a body cannot use its own generator while it runs", "[step01]") {
  const auto next_runs_into = [](auto use) {
    SelfUsing generator(use);
    const std::string message = message_of([&] { generator.next(); });
    REQUIRE_FALSE(generator.valid());
    return message;
  };
  REQUIRE(next_runs_into([](auto& self) { self.next(); }) == already_running);
  REQUIRE(next_runs_into([](auto& self) { self.valid(); }) == already_running);
  REQUIRE(next_runs_into([](auto& self) { self.current(); }) == already_running);
  REQUIRE(next_runs_into([](auto& self) { self.rewind(); }) == already_running);
}

TEST_CASE("an abandoned generator destroys its locals and runs nothing", "[step01]") {
  const auto alive = std::make_shared<int>(0);
  Log log;
  {
    Noting fresh(log, 3, alive), suspended(log, 3, alive), finished(log, 0, alive);
    suspended.rewind();
    finished.rewind();
    REQUIRE(alive.use_count() == 4);
    log.clear();
  }
  REQUIRE(alive.use_count() == 1);
  REQUIRE(log.empty());
}

TEST_CASE("the copy of a generator goes on from the same place, by itself", "[step01]") {
  Log log;
  Noting original(log, 3);
  original.next();
  Noting copy = original;
  original.next();
  REQUIRE(original.current() == 3);
  REQUIRE(copy.current() == 2);
  copy.next();
  copy.next();
  REQUIRE_FALSE(copy.valid());
  REQUIRE(original.valid());
}
