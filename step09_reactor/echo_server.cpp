#include <iostream>
#include <memory>
#include <string>

#include "coop/uv/line_reader.hpp"
#include "server.hpp"

using namespace coop;

/// The other end of a connection, as Python prints an address.
std::string peer_text(const Stream& stream) {
  const Address peer = peer_of(stream);
  return "('" + peer.numbers() + "', " + std::to_string(peer.port()) + ")";
}

/// Sends each line back, with GOT: before it, until the client closes, or the server ends.
Coroutine<> echo_lines(std::shared_ptr<Server> server, Stream* stream) {
  LineReader lines(*stream);
  while (!server->ending || lines.has_line()) {
    std::string line;
    {
      const Idle idle(server);
      line = co_await lines.read_line();
    }
    if (line.empty()) break;
    co_await stream->write("GOT:" + line);
  }
}

/// Recipe 12.12, EchoServer.client_handler().
Coroutine<> handle_client(std::shared_ptr<Server> server, std::unique_ptr<Stream> stream) {
  std::cout << "Got connection from  " << peer_text(*stream) << std::endl;
  try {
    co_await with_finally(echo_lines(server, stream.get()), finish(stream.get()));
  } catch (const UvError&) {  // a client that is gone has closed, too
  }
  std::cout << "Client closed" << std::endl;
}

int main(int argc, char** argv) {
  return serve(argc, argv, 16000, handle_client);
}
