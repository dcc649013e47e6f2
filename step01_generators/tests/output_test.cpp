#include "program.hpp"

TEST_CASE("interruptible prints its expected output", "[step01]") {
  check_program("interruptible");
}

TEST_CASE("naturals prints its expected output", "[step01]") {
  check_program("naturals");
}

TEST_CASE("xrange prints its expected output", "[step01]") {
  check_program("xrange");
}

TEST_CASE("the first difference of two outputs has its line number", "[step01]") {
  REQUIRE(first_difference("a\nb\n", "a\nb\n").empty());
  REQUIRE(first_difference("a\nb\n", "a\nc\n") == "line 2\n  expected: b\n  found:    c");
  REQUIRE(first_difference("a\nb\n", "a\n") ==
          "line 2\n  expected: b\n  found:    (the end of the output)");
  REQUIRE(first_difference("a\n", "a\nb\n") ==
          "line 2\n  expected: (the end of the output)\n  found:    b");
  REQUIRE(first_difference("a\n", "a") == "only the end of the last line differs");
}
