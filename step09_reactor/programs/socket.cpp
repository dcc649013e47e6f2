#include <iostream>
#include <string>

#include "../coop/run.hpp"
#include "../coop/uv/listener.hpp"

using namespace coop;

/// Accepts one client, and sends each of its lines back.
Coroutine<> serve(Listener* listener) {
  Stream client = co_await listener->accept();
  BufferedReader lines(client);
  while (true) {
    const std::string line = co_await lines.read_line();
    if (line.empty()) break;  // the client sends nothing more
    co_await client.write("You said: " + line);
  }
}

/// The client. The port is free, since the system has chosen it.
Coroutine<> main_task() {
  Listener listener(Address("127.0.0.1", 0));
  spawn(serve(&listener));  // without a handle, so its error would end the program
  Stream stream = co_await connect("localhost", listener.port());
  co_await stream.write("hello\ngoodbye\n");
  co_await stream.end_writing();
  BufferedReader lines(stream);
  while (true) {
    const std::string line = co_await lines.read_line();
    if (line.empty()) break;  // the server has closed the connection
    std::cout << line;
  }
}

int main() {
  coop::run(main_task());
}
