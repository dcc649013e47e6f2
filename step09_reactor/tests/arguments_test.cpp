#include "arguments.hpp"

#include "any_catch2.hpp"

TEST_CASE("read_number accepts the least and the greatest number", "[step09]") {
  int number = 5;
  REQUIRE(read_number("0", 0, 65535, number));
  REQUIRE(number == 0);
  REQUIRE(read_number("65535", 0, 65535, number));
  REQUIRE(number == 65535);
}

TEST_CASE("read_number changes nothing if the text is not such a number", "[step09]") {
  int number = 5;
  for (const char* const text : {"-1", "65536", "99999999999", "80x", "x", ""}) {
    CAPTURE(text);
    REQUIRE_FALSE(read_number(text, 0, 65535, number));
    REQUIRE(number == 5);
  }
}
