#include <chrono>
#include <exception>
#include <string>

#include "server.hpp"

using namespace coop;

/// Returns an address in the form in which Python prints it.
std::string text_of(const Address& address) {
  return "('" + address.numbers() + "', " + std::to_string(address.port()) + ")";
}

/// Sends the next line back, with GOT: before it. Returns false after the last line, and if
/// `ending` happens while no line has begun.
Coroutine<bool> echo_line(Stream* client, BufferedReader* lines, Event* ending) {
  if (lines->is_empty()) {
    const std::size_t first = co_await any_of(client->readable(), *ending);
    if (first == 1) co_return false;
  }
  const std::string line = co_await lines->read_line();
  if (line.empty()) co_return false;
  co_await client->write("GOT:" + line);
  co_return true;
}

/// Echoes the lines of a client, which has a minute for each. Recipe 12.12,
/// EchoServer.client_handler().
Coroutine<> handle_client(Stream client, Event* ending) {
  try {
    print_line("Got connection from  " + text_of(client.peer()));
    client.no_delay();
    BufferedReader lines(client);
    ManualEvent never;
    Event* end = &never;  // the first line may begin after the server was asked to end
    bool more = true;
    while (more) {
      more = co_await with_timeout(std::chrono::minutes(1), echo_line(&client, &lines, end));
      end = ending;
    }
    print_line("Client closed");
  } catch (const std::exception& error) {
    print_line("Client lost: " + std::string(error.what()));
  }
}

int main(int argc, char** argv) {
  return serve(argc, argv, 16000, handle_client);
}
