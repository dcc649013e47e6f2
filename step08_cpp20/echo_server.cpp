#include <netinet/in.h>
#include <sys/socket.h>

#include <iostream>
#include <string>
#include <system_error>
#include <utility>

#include "line_reader.hpp"
#include "server.hpp"

/// The other end of a connection, as Python prints an address.
std::string peer_of(const Socket& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getpeername(socket.number(), reinterpret_cast<sockaddr*>(&address), &size);
  return "('127.0.0.1', " + std::to_string(ntohs(address.sin_port)) + ")";
}

/// Sends each line back, with GOT: before it. Recipe 12.12, EchoServer.client_handler().
Coroutine<> handle_client(Server* server, Socket socket) {
  const CoSocket client(std::move(socket));
  const LineReader lines(client);
  const TaskId id = co_await get_task_id();
  std::cout << "Got connection from  " << peer_of(client.socket()) << std::endl;
  try {
    while (!server->ending || lines.has_line()) {
      server->idle.insert(id);
      const std::string line = co_await lines.readline();
      server->idle.erase(id);
      if (line.empty()) break;
      co_await client.write("GOT:" + line);
    }
  } catch (const std::system_error&) {
    server->idle.erase(id);  // a client that is gone has closed, too
  }
  co_await client.finish();
  std::cout << "Client closed" << std::endl;
}

int main(int argc, char** argv) {
  return serve(argc, argv, 16000, handle_client);
}
