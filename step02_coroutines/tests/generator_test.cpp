#include "generator.hpp"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "any_catch2.hpp"

namespace {

using Log = std::vector<std::string>;

/// Yields y1 to y<count> and writes to the log what each yield returns. Throws if this is "throw".
class Talking final : public Generator<std::string, std::string> {
 public:
  Talking(Log& log, int count, std::shared_ptr<void> local = nullptr)
      : log_(log), count_(count), local_(std::move(local)) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  Log& log_;
  int count_, i_ = 0;
  std::shared_ptr<void> local_;

  std::optional<std::string> resume(std::string sent) override {
    switch (state_) {
    case State::start:
      log_.push_back("start");
      for (i_ = 1; i_ <= count_; ++i_) {
        state_ = State::yielded;
        return "y" + std::to_string(i_);  // sent = yield "y" + i
      case State::yielded:
        log_.push_back("received " + sent);
        if (sent == "throw") throw std::runtime_error("from the body");
      }
    }
    log_.push_back("end");
    return std::nullopt;
  }
};

}  // namespace

TEST_CASE("creating a coroutine runs nothing", "[step02]") {
  Log log;
  Talking coroutine(log, 2);
  REQUIRE(log.empty());
}

TEST_CASE("send passes a value to the yield and returns the next one", "[step02]") {
  Log log;
  Talking coroutine(log, 3);
  REQUIRE(coroutine.current() == "y1");
  REQUIRE(coroutine.send("a") == "y2");
  REQUIRE(coroutine.current() == "y2");
  REQUIRE(coroutine.send("b") == "y3");
  REQUIRE(log == Log{"start", "received a", "received b"});
}

TEST_CASE("a caller cannot change the value that send returns", "[step02]") {
  using Returned = decltype(std::declval<Talking&>().send(""));
  STATIC_REQUIRE_FALSE(std::is_assignable_v<Returned, std::string>);
}

TEST_CASE("send to a fresh coroutine loses the first yielded value but not the sent one",
          "[step02]") {
  Log log;
  Talking coroutine(log, 3);
  REQUIRE(coroutine.send("a") == "y2");
  REQUIRE(log == Log{"start", "received a"});
}

TEST_CASE("next sends an empty value", "[step02]") {
  Log log;
  Talking coroutine(log, 3);
  coroutine.next();
  REQUIRE(coroutine.current() == "y2");
  REQUIRE(log == Log{"start", "received "});
}

TEST_CASE("send returns nullopt when the body reaches its end", "[step02]") {
  Log log;
  Talking coroutine(log, 1);
  coroutine.rewind();
  REQUIRE(coroutine.send("a") == std::nullopt);
  REQUIRE_FALSE(coroutine.valid());
  REQUIRE(log == Log{"start", "received a", "end"});
}

TEST_CASE("send to a finished coroutine does nothing", "[step02]") {
  Log log;
  Talking coroutine(log, 0);
  REQUIRE(coroutine.send("a") == std::nullopt);
  REQUIRE(coroutine.send("b") == std::nullopt);
  REQUIRE(log == Log{"start", "end"});
}

TEST_CASE("rewind throws after a send", "[step02]") {
  Log log;
  Talking coroutine(log, 1);
  coroutine.rewind();
  coroutine.rewind();
  coroutine.send("a");
  REQUIRE_THROWS_AS(coroutine.rewind(), std::logic_error);
}

TEST_CASE("a coroutine whose body throws has finished", "[step02]") {
  Log log;
  Talking coroutine(log, 3);
  REQUIRE_THROWS_WITH(coroutine.send("throw"), "from the body");
  REQUIRE_FALSE(coroutine.valid());
  REQUIRE(coroutine.send("a") == std::nullopt);
  REQUIRE(log == Log{"start", "received throw"});
}

TEST_CASE("values that can only be moved pass both ways", "[step02]") {
  class Passing final : public Generator<std::unique_ptr<int>, std::unique_ptr<int>> {
    std::optional<std::unique_ptr<int>> resume(std::unique_ptr<int> sent) override { return sent; }
  };
  Passing coroutine;
  auto box = std::make_unique<int>(7);
  const int* const address = box.get();
  coroutine.send(std::move(box));
  const std::unique_ptr<int> back = *coroutine.take();
  REQUIRE(back.get() == address);
}

TEST_CASE("destroying a coroutine destroys its locals and runs nothing", "[step02]") {
  Log log;
  const auto local = std::make_shared<int>(0);
  {
    Talking fresh(log, 3, local), suspended(log, 3, local);
    suspended.send("a");
    REQUIRE(local.use_count() == 3);
  }
  REQUIRE(local.use_count() == 1);
  REQUIRE(log == Log{"start", "received a"});
}
