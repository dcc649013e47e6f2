#include "peer.hpp"
#include "program.hpp"
#include "server_process.hpp"

TEST_CASE("uncaught prints its expected output and reports the failed task on stderr", "[step07]") {
  check_equal(expected_output("uncaught"), output_of("./uncaught 2>/dev/null"));
  REQUIRE(output_of("./uncaught 2>&1 >/dev/null") == "Task 2 failed: Invalid task ID!\n");
}

TEST_CASE("throw_into prints its expected output", "[step07]") {
  check_program("throw_into");
}

TEST_CASE("kill_missing_task prints its expected output", "[step07]") {
  check_program("kill_missing_task");
}

TEST_CASE("web_server sends the recorded response to the recorded request", "[step07]") {
  const ServerProcess server("web_server");
  Peer client(server.port());
  client.send(content_of(EXPECTED "/web_server_request.txt"));
  check_equal(content_of(EXPECTED "/web_server.txt"), client.read());
}

TEST_CASE("echo_server sends the expected response and prints the expected lines", "[step07]") {
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
