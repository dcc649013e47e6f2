#include "program.hpp"

TEST_CASE("task_ids prints its expected output", "[step04]") {
  check_program("task_ids");
}

TEST_CASE("parent_child prints its expected output", "[step04]") {
  check_program("parent_child");
}

TEST_CASE("ann_and_bob prints its expected output", "[step04]") {
  check_program("ann_and_bob");
}

TEST_CASE("carl prints its expected output", "[step04]") {
  check_program("carl");
}

TEST_CASE("exec prints its expected output", "[step04]") {
  check_program("exec");
}

TEST_CASE("fork prints its expected output", "[step04]") {
  check_program("fork");
}

TEST_CASE("actors prints its expected output", "[step04]") {
  check_program("actors");
}
