#include <any_catch2.hpp>
#include <vector>

#include "program.cpp"

namespace {

using Numbers = std::vector<int>;

Numbers numbers(UpAndDown generator) {
  Numbers numbers;
  for (const int number : generator) numbers.push_back(number);
  return numbers;
}

}  // namespace

TEST_CASE("UpAndDown counts up to the top and down to 1") {
  REQUIRE(numbers(UpAndDown(2)) == Numbers{1, 2, 1});
  REQUIRE(numbers(UpAndDown(5)) == Numbers{1, 2, 3, 4, 5, 4, 3, 2, 1});
}

TEST_CASE("UpAndDown yields nothing when the top is negative") {
  REQUIRE(numbers(UpAndDown(-1)).empty());
}
