#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <string>
#include <system_error>
#include <utility>

#include "readline.hpp"
#include "server.hpp"

/// Returns the address of the peer, in the form in which Python prints it.
std::string peer_of(const Socket& socket) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  ::getpeername(socket.fd(), reinterpret_cast<sockaddr*>(&address), &size);
  return "('127.0.0.1', " + std::to_string(ntohs(address.sin_port)) + ")";
}

/// Sends every line back, with GOT: before it. A client has a minute for each line. Recipe 12.12,
/// EchoServer.client_handler().
Coroutine<> handle_client(Socket client) {
  CoSocket socket(std::move(client));
  print_line("Got connection from  " + peer_of(socket.socket()));
  try {
    while (true) {
      socket.set_deadline(Clock::now() + std::chrono::minutes(1));
      const std::string line = co_await readline(socket);
      if (line.empty()) break;
      co_await socket.write("GOT:" + line);
    }
    print_line("Client closed");
  } catch (const std::system_error& error) {
    print_line(std::string("Client lost: ") + error.what());
  }
}

int main(int argc, char** argv) {
  serve(argc, argv, 16000, handle_client);
}
