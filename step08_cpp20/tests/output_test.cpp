#include <unistd.h>

#include <cstdio>
#include <string>

#include "peer.hpp"
#include "program.hpp"
#include "server_process.hpp"

TEST_CASE("a program prints its expected output", "[step08]") {
  const std::string program =
      GENERATE(as<std::string>(), "one_and_two", "mini_scheduler", "xrange", "interruptible",
               "naturals", "two_way", "first_yield", "interview", "two_tasks", "countdown",
               "parent_child", "task_ids", "ann_and_bob", "carl", "exec", "actors", "unstacked",
               "echo_times", "return_value", "throw_into", "kill_missing_task");
  INFO(program);
  check_program(program);
}

TEST_CASE("uncaught prints its expected output and reports the failed task on stderr", "[step08]") {
  check_equal(expected_output("uncaught"), output_of("./uncaught 2>/dev/null"));
  REQUIRE(output_of("./uncaught 2>&1 >/dev/null") == "Task 2 failed: Invalid task ID!\n");
}

TEST_CASE("logger appends its lines to a file and prints nothing", "[step08]") {
  const std::string log = " log." + std::to_string(::getpid());
  const std::string lines = expected_output("logger");
  const std::string twice = "./logger" + log + " && ./logger" + log;
  check_equal(lines + lines, output_of(twice + " && cat" + log + " && rm" + log));
}

TEST_CASE("web_server sends the recorded response to the recorded request", "[step08]") {
  const ServerProcess server("web_server");
  Peer client(server.port());
  client.send(content_of(EXPECTED "/web_server_request.txt"));
  check_equal(content_of(EXPECTED "/web_server.txt"), client.read());
}

TEST_CASE("echo_server sends the expected response and prints the expected lines", "[step08]") {
  const ServerProcess server("echo_server");
  Peer client(server.port());
  client.send("hello\n\nno newline");
  client.end();
  std::string output = client.read() + '\n';
  std::string line = server.read_line();
  line.replace(line.find(", "), std::string::npos, ", PORT)");
  output += line + '\n' + server.read_line() + '\n';
  check_equal(content_of(EXPECTED "/echo_server.txt"), output);
}
