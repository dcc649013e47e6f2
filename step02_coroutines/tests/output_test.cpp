#include <unistd.h>

#include <cstdio>
#include <string>

#include "program.hpp"

TEST_CASE("two_way prints its expected output", "[step02]") {
  check_program("two_way");
}

TEST_CASE("first_yield prints its expected output", "[step02]") {
  check_program("first_yield");
}

TEST_CASE("logger writes its lines to a file and prints nothing", "[step02]") {
  const std::string log = "log." + std::to_string(::getpid());
  check_equal("", output_of("./logger " + log));
  check_equal(expected_output("logger"), content_of(PROGRAMS "/" + log));
  std::remove((PROGRAMS "/" + log).c_str());
}
