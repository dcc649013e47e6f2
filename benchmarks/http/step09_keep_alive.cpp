// A server on Io that keeps connections: it finds where a request ends, and answers each.

#include <memory>
#include <string>

#include "answer.hpp"
#include "server.hpp"

using namespace coop;

namespace {

/// The next request, up to the empty line behind its head; empty at the end. What came with it
/// stays in `rest`.
Coroutine<std::string> read_request(Stream* stream, std::string* rest) {
  std::size_t end = std::string::npos;
  while ((end = rest->find("\r\n\r\n")) == std::string::npos) {
    const std::string more = co_await stream->read(8192);
    if (more.empty()) co_return "";
    *rest += more;
  }
  std::string request = rest->substr(0, end + 4);
  rest->erase(0, end + 4);
  co_return request;
}

Coroutine<> handle_client(std::shared_ptr<Server>, std::unique_ptr<Stream> stream) {
  std::string rest;
  while (true) {
    const std::string request = co_await read_request(stream.get(), &rest);
    if (request.empty()) break;
    co_await stream->write(std::string(keep_answer));
  }
}

}  // namespace

int main() {
  return serve("keep_alive_server", Options{0}, handle_client);
}
