#include "generator.hpp"

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "talking.hpp"

namespace {

using Log = std::vector<std::string>;

}  // namespace

TEST_CASE("constructing a coroutine runs nothing", "[step08]") {
  Log log;
  auto coroutine = talking(log, 2);
  REQUIRE(log.empty());
}

TEST_CASE("send gives the yield its value and returns what the next one hands out", "[step08]") {
  Log log;
  auto coroutine = talking(log, 3);
  REQUIRE(coroutine.current() == "y1");
  REQUIRE(coroutine.send("a") == "y2");
  REQUIRE(coroutine.current() == "y2");
  REQUIRE(coroutine.send("b") == "y3");
  REQUIRE(log == Log{"start", "got a", "got b"});
}

TEST_CASE("send to a fresh coroutine loses the first value, not the sent one", "[step08]") {
  Log log;
  auto coroutine = talking(log, 3);
  REQUIRE(coroutine.send("a") == "y2");
  REQUIRE(log == Log{"start", "got a"});
}

TEST_CASE("next sends nothing", "[step08]") {
  Log log;
  auto coroutine = talking(log, 3);
  coroutine.next();
  REQUIRE(coroutine.current() == "y2");
  REQUIRE(log == Log{"start", "got "});
}

TEST_CASE("the send that reaches the end returns nothing", "[step08]") {
  Log log;
  auto coroutine = talking(log, 1);
  coroutine.rewind();
  REQUIRE(coroutine.send("a") == std::nullopt);
  REQUIRE_FALSE(coroutine.valid());
  REQUIRE(log == Log{"start", "got a", "end"});
}

TEST_CASE("what is sent to a finished coroutine is dropped", "[step08]") {
  Log log;
  auto coroutine = talking(log, 0);
  REQUIRE(coroutine.send("a") == std::nullopt);
  REQUIRE(coroutine.send("b") == std::nullopt);
  REQUIRE(coroutine.current() == std::nullopt);
  REQUIRE(log == Log{"start", "end"});
}

TEST_CASE("rewind works until the first send that resumes", "[step08]") {
  Log log;
  auto coroutine = talking(log, 1);
  auto empty = talking(log, 0);
  coroutine.rewind();
  coroutine.rewind();
  coroutine.send("a");
  REQUIRE_THROWS_AS(coroutine.rewind(), std::logic_error);
  empty.send("a");
  REQUIRE_NOTHROW(empty.rewind());
}

TEST_CASE("an iterator reaches into the value, and is where it was moved to", "[step08]") {
  Log log;
  auto coroutine = talking(log, 2);
  auto place = coroutine.begin();
  REQUIRE(place->size() == 2);
  REQUIRE(*++place == "y2");
}

TEST_CASE("range-for sends nothing each time", "[step08]") {
  Log log;
  auto coroutine = talking(log, 2);
  for (const std::string& value : coroutine) log.push_back(value);
  REQUIRE(log == Log{"start", "y1", "got ", "y2", "got ", "end"});
}

TEST_CASE("an exception finishes the coroutine, then reaches the sender", "[step08]") {
  Log log;
  auto coroutine = talking(log, 3);
  REQUIRE_THROWS_AS(coroutine.send("throw"), std::runtime_error);
  REQUIRE_FALSE(coroutine.valid());
  REQUIRE(coroutine.send("a") == std::nullopt);
  REQUIRE(log == Log{"start", "got throw"});
}

TEST_CASE("a body cannot send to itself while it runs", "[step08]") {
  Log log;
  std::function<void()> resume_it;
  auto coroutine = talking(log, 3, nullptr, &resume_it);
  resume_it = [&] { coroutine.send("again"); };
  REQUIRE_THROWS_WITH(coroutine.send("self"), "Cannot resume an already running generator");
  REQUIRE_FALSE(coroutine.valid());
}

TEST_CASE("values are moved all the way, in and out", "[step08]") {
  auto coroutine = passing();
  auto box = std::make_unique<int>(7);
  const int* const address = box.get();
  const auto back = std::move(*coroutine.send(std::move(box)));
  REQUIRE(back.get() == address);
}

TEST_CASE("an abandoned coroutine destroys its locals", "[step08]") {
  const auto alive = std::make_shared<int>(0);
  Log log;
  {
    auto fresh = talking(log, 3, alive);
    auto suspended = talking(log, 3, alive);
    suspended.send("a");
    REQUIRE(alive.use_count() == 3);
  }
  REQUIRE(alive.use_count() == 1);
  REQUIRE(log == Log{"start", "got a"});
}
