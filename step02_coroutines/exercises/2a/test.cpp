#include <any_catch2.hpp>

#include "program.cpp"

TEST_CASE("the average is 0 before the first number") {
  Average average;
  REQUIRE(average.current().value_or(-1) == 0);
}

TEST_CASE("each yield yields the average of all numbers so far") {
  Average average;
  REQUIRE(average.send(4).value_or(100) == 4);
  REQUIRE(average.send(-2).value_or(100) == 1);
  REQUIRE(average.send(-5).value_or(100) == -1);
  REQUIRE(average.send(5).value_or(100) == 0.5);
}

TEST_CASE("two averages are independent of each other") {
  Average first;
  Average second;
  REQUIRE(first.send(1).value_or(100) == 1);
  REQUIRE(second.send(8).value_or(100) == 8);
  REQUIRE(first.send(3).value_or(100) == 2);
}
