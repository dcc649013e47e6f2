#include "program.hpp"

TEST_CASE("task_ids prints its expected output", "[step04]") {
  check_program("task_ids");
}

TEST_CASE("parent_child prints its expected output", "[step04]") {
  check_program("parent_child");
}

TEST_CASE("process_calls prints its expected output", "[step04]") {
  check_program("process_calls");
}

TEST_CASE("fork prints its expected output", "[step04]") {
  check_program("fork");
}

TEST_CASE("actors prints its expected output", "[step04]") {
  check_program("actors");
}
