#include <unistd.h>

#include <string>

#include "program.hpp"

TEST_CASE("interview prints its expected output", "[step02]") {
  check_program("interview");
}

TEST_CASE("two_way prints its expected output", "[step02]") {
  check_program("two_way");
}

TEST_CASE("first_yield prints its expected output", "[step02]") {
  check_program("first_yield");
}

TEST_CASE("logger appends its lines to a file and prints nothing", "[step02]") {
  const std::string log = " log." + std::to_string(::getpid());
  const std::string lines = expected_output("logger");
  const std::string twice = "./logger" + log + " && ./logger" + log;
  check_equal(lines + lines, output_of(twice + " && cat" + log + " && rm" + log));
}
