#include <any_catch2.hpp>
#include <stdexcept>
#include <vector>

#include "range_for.hpp"
#include "xrange.hpp"

namespace {

using Numbers = std::vector<int>;

Numbers numbers(Xrange range) {
  Numbers numbers;
  for (const int number : range) numbers.push_back(number);
  return numbers;
}

}  // namespace

TEST_CASE("Xrange counts down when its step is negative") {
  REQUIRE(numbers(Xrange(10, -10, -5)) == Numbers{10, 5, 0, -5, -10});
  REQUIRE(numbers(Xrange(3, 1, -1)) == Numbers{3, 2, 1});
}

TEST_CASE("Xrange yields one number when it starts at the end") {
  REQUIRE(numbers(Xrange(4, 4, -1)) == Numbers{4});
}

TEST_CASE("Xrange yields nothing when it counts down from below the end") {
  REQUIRE(numbers(Xrange(1, 2, -1)).empty());
}

TEST_CASE("Xrange counts up as before") {
  REQUIRE(numbers(Xrange(-1, 1)) == Numbers{-1, 0, 1});
  REQUIRE(numbers(Xrange(0, 8, 3)) == Numbers{0, 3, 6});
}

TEST_CASE("creating an Xrange with the step 0 throws") {
  REQUIRE_THROWS_AS(Xrange(1, 5, 0), std::invalid_argument);
  REQUIRE_THROWS_AS(Xrange(5, 1, 0), std::invalid_argument);
}
