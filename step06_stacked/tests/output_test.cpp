#include "peer.hpp"
#include "program.hpp"
#include "server_process.hpp"

TEST_CASE("unstacked prints its expected output", "[step06]") {
  check_program("unstacked");
}

TEST_CASE("echo_times prints its expected output", "[step06]") {
  check_program("echo_times");
}

TEST_CASE("return_value prints its expected output", "[step06]") {
  check_program("return_value");
}

TEST_CASE("web_server sends the recorded response to the recorded request", "[step06]") {
  const ServerProcess server("web_server");
  Peer client(server.port());
  client.send(content_of(EXPECTED "/web_server_request.txt"));
  check_equal(content_of(EXPECTED "/web_server.txt"), client.read());
}

TEST_CASE("echo_server sends the expected response and prints the expected lines", "[step06]") {
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
