#include "generator.hpp"

#include <any_catch2.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Log = std::vector<std::string>;

/// Yields y1 to y<count> and writes down what each yield gave. `alive` shows how long it lives.
class Talking final : public Generator<std::string, std::string> {
 public:
  Talking(Log& log, int count, std::shared_ptr<int> alive = nullptr)
      : log_(log), count_(count), alive_(std::move(alive)) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  Log& log_;
  int count_, i_ = 0;
  std::shared_ptr<int> alive_;

  std::optional<std::string> resume(std::string sent) override {
    switch (at_) {
    case At::start:
      log_.push_back("start");
      for (i_ = 1; i_ <= count_; ++i_) {
        at_ = At::yielded;
        return "y" + std::to_string(i_);
      case At::yielded:
        log_.push_back("got " + sent);
        if (sent == "throw") throw std::runtime_error("from the body");
        if (sent == "self") send("again");
      }
    }
    log_.push_back("end");
    return std::nullopt;
  }
};

}  // namespace

TEST_CASE("constructing a coroutine runs nothing", "[step02]") {
  Log log;
  Talking coroutine(log, 2);
  REQUIRE(log.empty());
}

TEST_CASE("send gives the yield its value and returns what the next one hands out", "[step02]") {
  Log log;
  Talking coroutine(log, 3);
  REQUIRE(coroutine.current() == "y1");
  REQUIRE(coroutine.send("a") == "y2");
  REQUIRE(coroutine.current() == "y2");
  REQUIRE(coroutine.send("b") == "y3");
  REQUIRE(log == Log{"start", "got a", "got b"});
}

TEST_CASE("send to a fresh coroutine loses the first value, not the sent one", "[step02]") {
  Log log;
  Talking coroutine(log, 3);
  REQUIRE(coroutine.send("a") == "y2");
  REQUIRE(log == Log{"start", "got a"});
}

TEST_CASE("next sends nothing", "[step02]") {
  Log log;
  Talking coroutine(log, 3);
  coroutine.next();
  REQUIRE(coroutine.current() == "y2");
  REQUIRE(log == Log{"start", "got "});
}

TEST_CASE("the send that reaches the end returns nothing", "[step02]") {
  Log log;
  Talking coroutine(log, 1);
  coroutine.rewind();
  REQUIRE(coroutine.send("a") == std::nullopt);
  REQUIRE_FALSE(coroutine.valid());
  REQUIRE(log == Log{"start", "got a", "end"});
}

TEST_CASE("what is sent to a finished coroutine is dropped", "[step02]") {
  Log log;
  Talking coroutine(log, 0);
  REQUIRE(coroutine.send("a") == std::nullopt);
  REQUIRE(coroutine.send("b") == std::nullopt);
  REQUIRE(coroutine.current() == std::nullopt);
  REQUIRE(log == Log{"start", "end"});
}

TEST_CASE("rewind works until the first send that resumes", "[step02]") {
  Log log;
  Talking coroutine(log, 1), empty(log, 0);
  coroutine.rewind();
  coroutine.rewind();
  coroutine.send("a");
  REQUIRE_THROWS_AS(coroutine.rewind(), std::logic_error);
  empty.send("a");
  REQUIRE_NOTHROW(empty.rewind());
}

TEST_CASE("range-for sends nothing each time", "[step02]") {
  Log log;
  Talking coroutine(log, 2);
  for (const std::string& value : coroutine) log.push_back(value);
  REQUIRE(log == Log{"start", "y1", "got ", "y2", "got ", "end"});
}

TEST_CASE("an exception finishes the coroutine, then reaches the sender", "[step02]") {
  Log log;
  Talking coroutine(log, 3);
  REQUIRE_THROWS_AS(coroutine.send("throw"), std::runtime_error);
  REQUIRE_FALSE(coroutine.valid());
  REQUIRE(coroutine.send("a") == std::nullopt);
  REQUIRE(log == Log{"start", "got throw"});
}

TEST_CASE("a body cannot send to itself while it runs", "[step02]") {
  Log log;
  Talking coroutine(log, 3);
  REQUIRE_THROWS_WITH(coroutine.send("self"), "Cannot resume an already running generator");
  REQUIRE_FALSE(coroutine.valid());
}

TEST_CASE("values are moved all the way, in and out", "[step02]") {
  using Box = std::unique_ptr<int>;
  class Passing final : public Generator<Box, Box> {
    std::optional<Box> resume(Box sent) override { return sent; }
  };
  Passing coroutine;
  Box box = std::make_unique<int>(7);
  const int* const address = box.get();
  Box back = std::move(*coroutine.send(std::move(box)));
  REQUIRE(back.get() == address);
}

TEST_CASE("an abandoned coroutine destroys its locals", "[step02]") {
  const auto alive = std::make_shared<int>(0);
  Log log;
  {
    Talking fresh(log, 3, alive), suspended(log, 3, alive);
    suspended.send("a");
    REQUIRE(alive.use_count() == 3);
  }
  REQUIRE(alive.use_count() == 1);
  REQUIRE(log == Log{"start", "got a"});
}

TEST_CASE("the copy of a coroutine goes on from the same place, by itself", "[step02]") {
  Log log;
  Talking original(log, 3);
  original.send("a");
  Talking copy = original;
  REQUIRE(original.send("b") == "y3");
  REQUIRE(copy.current() == "y2");
  REQUIRE(copy.send("c") == "y3");
  REQUIRE(log == Log{"start", "got a", "got b", "got c"});
}
