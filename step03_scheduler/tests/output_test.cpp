#include "program.hpp"

TEST_CASE("two_tasks prints its expected output", "[step03]") {
  check_program("two_tasks");
}

TEST_CASE("countdown prints its expected output", "[step03]") {
  check_program("countdown");
}
