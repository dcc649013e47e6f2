#include <memory>
#include <string>
#include <utility>

#include "server.hpp"

using namespace coop;

std::string answer_to(const std::string& request) {
  const std::string message = "Received following request:\n\n" + request;
  return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: " +
         std::to_string(message.size()) + "\r\nConnection: close\r\n\r\n" + message;
}

/// A GET that has come to its blank line: its client sends nothing more.
bool is_whole(const std::string& request) {
  return request.starts_with("GET ") && request.ends_with("\r\n\r\n");
}

/// Serves one client: reads once, answers, closes. Article: "Stacked coroutines", handleClient().
Coroutine<> handle_client(std::shared_ptr<Server> server, std::unique_ptr<Stream> stream) {
  std::string request;
  {
    const Idle idle(server);
    request = co_await stream->read(8192);
  }
  co_await stream->write(answer_to(request));
  if (!is_whole(request)) {
    co_await finish(stream.get());
  }
}

int main(int argc, char** argv) {
  return serve(argc, argv, 8000, handle_client);
}
