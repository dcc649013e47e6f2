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

TEST_CASE("two_tasks prints its expected output", "[step09]") {
  check_program("two_tasks");
}

TEST_CASE("countdown prints its expected output", "[step09]") {
  check_program("countdown");
}

TEST_CASE("task_ids prints its expected output", "[step09]") {
  check_program("task_ids");
}

TEST_CASE("parent_child prints its expected output", "[step09]") {
  check_program("parent_child");
}

TEST_CASE("actors prints its expected output", "[step09]") {
  check_program("actors");
}

TEST_CASE("echo_times prints its expected output", "[step09]") {
  check_program("echo_times");
}

TEST_CASE("return_value prints its expected output", "[step09]") {
  check_program("return_value");
}

TEST_CASE("throw_into prints its expected output", "[step09]") {
  check_program("throw_into");
}

TEST_CASE("kill_missing_task prints its expected output", "[step09]") {
  check_program("kill_missing_task");
}

TEST_CASE("pool_statistics prints its expected output", "[step09]") {
  check_program("pool_statistics");
}

TEST_CASE("output_buffer prints its expected output", "[step09]") {
  check_program("output_buffer");
}

TEST_CASE("async_finalizers prints its expected output", "[step09]") {
  check_program("async_finalizers");
}

TEST_CASE("poll_pipe prints its expected output", "[step09]") {
  check_program("poll_pipe");
}

TEST_CASE("timers prints its expected output", "[step09]") {
  check_program("timers");
}

TEST_CASE("signals prints its expected output", "[step09]") {
  check_program("signals");
}

TEST_CASE("lookup prints its expected output", "[step09]") {
  check_program("lookup");
}

TEST_CASE("compute prints its expected output", "[step09]") {
  check_program("compute");
}

TEST_CASE("post_from_thread prints its expected output", "[step09]") {
  check_program("post_from_thread");
}

TEST_CASE("watch_folder prints its expected output", "[step09]") {
  check_program("watch_folder");
}

TEST_CASE("child prints its expected output", "[step09]") {
  check_program("child");
}

TEST_CASE("run_shell prints its expected output", "[step09]") {
  check_program("run_shell");
}

TEST_CASE("copy_file prints its expected output", "[step09]") {
  check_script("copy_file");
}

TEST_CASE("fetch_all prints its expected output", "[step09]") {
  check_script("fetch_all");
}

TEST_CASE("tail prints its expected output", "[step09]") {
  check_script("tail");
}

TEST_CASE("run_many prints its expected output", "[step09]") {
  check_script("run_many");
}

TEST_CASE("web_server sends its expected response, and SIGTERM ends it", "[step09]") {
  check_script("web_server");
}

TEST_CASE("echo_server sends and prints its expected lines, and SIGTERM ends it", "[step09]") {
  check_script("echo_server");
}
