#include <string>

#include "program.hpp"

namespace {

/// Runs the script expected/PROGRAM.run in an empty folder. It starts the program, and prints what
/// must be compared.
void check_script(const std::string& program) {
  const std::string run = "sh '" EXPECTED "/" + program + ".run' '" PROGRAMS "/" + program + "'";
  check_equal(expected_output(program),
              output_of("folder=$(mktemp -d) && cd \"$folder\" && { " + run +
                        "; status=$?; rm -r \"$folder\"; exit $status; }"));
}

}  // namespace

TEST_CASE("xrange prints its expected output", "[step08]") {
  check_program("xrange");
}

TEST_CASE("interruptible prints its expected output", "[step08]") {
  check_program("interruptible");
}

TEST_CASE("naturals prints its expected output", "[step08]") {
  check_program("naturals");
}

TEST_CASE("two_way prints its expected output", "[step08]") {
  check_program("two_way");
}

TEST_CASE("first_yield prints its expected output", "[step08]") {
  check_program("first_yield");
}

TEST_CASE("two_tasks prints its expected output", "[step08]") {
  check_program("two_tasks");
}

TEST_CASE("countdown prints its expected output", "[step08]") {
  check_program("countdown");
}

TEST_CASE("task_ids prints its expected output", "[step08]") {
  check_program("task_ids");
}

TEST_CASE("parent_child prints its expected output", "[step08]") {
  check_program("parent_child");
}

TEST_CASE("process_calls prints its expected output", "[step08]") {
  check_program("process_calls");
}

TEST_CASE("actors prints its expected output", "[step08]") {
  check_program("actors");
}

TEST_CASE("unstacked prints its expected output", "[step08]") {
  check_program("unstacked");
}

TEST_CASE("echo_times prints its expected output", "[step08]") {
  check_program("echo_times");
}

TEST_CASE("return_value prints its expected output", "[step08]") {
  check_program("return_value");
}

TEST_CASE("throw_into prints its expected output", "[step08]") {
  check_program("throw_into");
}

TEST_CASE("kill_missing_task prints its expected output", "[step08]") {
  check_program("kill_missing_task");
}

TEST_CASE("logger writes its lines to a file and prints nothing", "[step08]") {
  check_script("logger");
  REQUIRE(output_of("./logger 2>&1", 2) == "usage: logger FILE\n");
}

TEST_CASE("web_server sends its expected response, and SIGTERM ends it", "[step08]") {
  check_script("web_server");
}

TEST_CASE("echo_server sends and prints its expected lines, and SIGTERM ends it", "[step08]") {
  check_script("echo_server");
}
