#include <any_catch2.hpp>
#include <string>
#include <vector>

#include "talking.hpp"

TEST_CASE("the copy of a coroutine goes on from the same place, by itself", "[step02]") {
  std::vector<std::string> log;
  auto original = talking(log, 3);
  original.send("a");
  auto copy = original;
  REQUIRE(original.send("b") == "y3");
  REQUIRE(copy.current() == "y2");
  REQUIRE(copy.send("c") == "y3");
  REQUIRE(log == std::vector<std::string>{"start", "got a", "got b", "got c"});
}
