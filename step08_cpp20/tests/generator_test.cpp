#include "generator.hpp"

#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "range_for.hpp"
#include "xrange.hpp"

namespace {

using Log = std::vector<std::string>;

/// Yields y1 to y<count>, and writes to the log what each yield returns or throws. If this is
/// "throw", the body throws an exception.
Generator<std::string, std::string> talking(Log* log, int count, std::shared_ptr<int> = nullptr) {
  log->push_back("start");
  for (int i = 1; i <= count; ++i) {
    try {
      const std::string sent = co_yield "y" + std::to_string(i);
      log->push_back("received " + sent);
      if (sent == "throw") throw std::runtime_error("from the body");
    } catch (const std::invalid_argument& error) {
      log->push_back(std::string("caught ") + error.what());
    }
  }
  log->push_back("end");
}

Generator<std::unique_ptr<int>, std::unique_ptr<int>> passing() {
  std::unique_ptr<int> box;
  while (true) {
    box = co_yield std::move(box);
  }
}

std::exception_ptr caught(const char* message) {
  return std::make_exception_ptr(std::invalid_argument(message));
}

std::exception_ptr not_caught(const char* message) {
  return std::make_exception_ptr(std::runtime_error(message));
}

}  // namespace

TEST_CASE("creating a generator runs nothing", "[step08]") {
  Log log;
  Generator<std::string, std::string> generator = talking(&log, 2);
  REQUIRE(log.empty());
}

TEST_CASE("send passes a value to the yield and returns the next one", "[step08]") {
  Log log;
  Generator<std::string, std::string> generator = talking(&log, 3);
  REQUIRE(generator.current() == "y1");
  REQUIRE(generator.send("a") == "y2");
  REQUIRE(generator.current() == "y2");
  REQUIRE(generator.send("b") == "y3");
  REQUIRE(log == Log{"start", "received a", "received b"});
}

TEST_CASE("send to a fresh generator loses the first yielded value but not the sent one",
          "[step08]") {
  Log log;
  Generator<std::string, std::string> generator = talking(&log, 3);
  REQUIRE(generator.send("a") == "y2");
  REQUIRE(log == Log{"start", "received a"});
}

TEST_CASE("next sends an empty value", "[step08]") {
  Log log;
  Generator<std::string, std::string> generator = talking(&log, 3);
  generator.next();
  REQUIRE(generator.current() == "y2");
  REQUIRE(log == Log{"start", "received "});
}

TEST_CASE("send returns nullopt at the end of the body and does nothing after it", "[step08]") {
  Log log;
  Generator<std::string, std::string> generator = talking(&log, 1);
  generator.rewind();
  REQUIRE(generator.send("a") == std::nullopt);
  REQUIRE_FALSE(generator.valid());
  REQUIRE(generator.send("b") == std::nullopt);
  REQUIRE(log == Log{"start", "received a", "end"});
}

TEST_CASE("rewind throws after a send", "[step08]") {
  Log log;
  Generator<std::string, std::string> generator = talking(&log, 1);
  generator.rewind();
  generator.rewind();
  generator.send("a");
  REQUIRE_THROWS_AS(generator.rewind(), std::logic_error);
}

TEST_CASE("a generator whose body throws has finished", "[step08]") {
  Log log;
  Generator<std::string, std::string> generator = talking(&log, 3);
  REQUIRE_THROWS_WITH(generator.send("throw"), "from the body");
  REQUIRE_FALSE(generator.valid());
  REQUIRE(generator.send("a") == std::nullopt);
  REQUIRE(log == Log{"start", "received throw"});
}

TEST_CASE("throw_into throws at the current yield and returns the next yielded value", "[step08]") {
  Log log;
  Generator<std::string, std::string> generator = talking(&log, 3);
  REQUIRE(generator.current() == "y1");
  REQUIRE(generator.throw_into(caught("a")) == "y2");
  REQUIRE(generator.current() == "y2");
  REQUIRE(generator.send("b") == "y3");
  REQUIRE(log == Log{"start", "caught a", "received b"});
}

TEST_CASE("throw_into runs a fresh generator to its first yield before it throws", "[step08]") {
  Log log;
  Generator<std::string, std::string> generator = talking(&log, 3);
  REQUIRE(generator.throw_into(caught("a")) == "y2");
  REQUIRE(log == Log{"start", "caught a"});
}

TEST_CASE(
    "throw_into throws the exception and finishes the generator when the body does not catch it",
    "[step08]") {
  Log log;
  Generator<std::string, std::string> generator = talking(&log, 3);
  generator.rewind();
  REQUIRE_THROWS_WITH(generator.throw_into(not_caught("a")), "a");
  REQUIRE_FALSE(generator.valid());
  REQUIRE(generator.send("b") == std::nullopt);
  REQUIRE_THROWS_WITH(generator.throw_into(caught("c")), "c");
  REQUIRE(log == Log{"start"});
}

TEST_CASE("values that can only be moved pass both ways", "[step08]") {
  Generator<std::unique_ptr<int>, std::unique_ptr<int>> generator = passing();
  auto box = std::make_unique<int>(7);
  const int* const address = box.get();
  generator.send(std::move(box));
  const std::unique_ptr<int> back = *generator.take();
  REQUIRE(back.get() == address);
}

TEST_CASE("a caller cannot change the value of a generator", "[step08]") {
  STATIC_REQUIRE_FALSE(std::is_assignable_v<decltype(passing().current()), std::nullopt_t>);
  STATIC_REQUIRE_FALSE(std::is_assignable_v<decltype(passing().send({})), std::nullopt_t>);
  STATIC_REQUIRE_FALSE(std::is_assignable_v<decltype(passing().throw_into({})), std::nullopt_t>);
}

TEST_CASE("a generator can be moved at any yield", "[step08]") {
  Log log;
  Generator<std::string, std::string> generator = talking(&log, 3);
  generator.rewind();
  Generator<std::string, std::string> other = std::move(generator);
  REQUIRE(other.current() == "y1");
  REQUIRE(other.send("a") == "y2");
  generator = std::move(other);
  REQUIRE(generator.send("b") == "y3");
}

TEST_CASE("destroying a generator destroys its parameters and its locals and runs nothing",
          "[step08]") {
  Log log;
  const auto local = std::make_shared<int>(0);
  {
    Generator<std::string, std::string> fresh = talking(&log, 3, local);
    Generator<std::string, std::string> suspended = talking(&log, 3, local);
    suspended.send("a");
    REQUIRE(local.use_count() == 3);
  }
  REQUIRE(local.use_count() == 1);
  REQUIRE(log == Log{"start", "received a"});
}

TEST_CASE("range-for visits all numbers of xrange", "[step08]") {
  std::vector<int> numbers;
  for (const int number : xrange(1, 10, 3)) numbers.push_back(number);
  REQUIRE(numbers == std::vector<int>{1, 4, 7, 10});
  for (const int number : xrange(10, 1)) FAIL(number);
}
