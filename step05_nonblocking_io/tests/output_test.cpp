#include "peer.hpp"
#include "program.hpp"
#include "server_process.hpp"

TEST_CASE("web_server sends the recorded response to the recorded request", "[step05]") {
  const ServerProcess server("web_server");
  Peer client(server.port());
  client.send(content_of(EXPECTED "/web_server_request.txt"));
  check_equal(content_of(EXPECTED "/web_server.txt"), client.read());
}
