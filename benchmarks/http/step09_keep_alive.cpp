// A server on step 9 that keeps its connections: it finds the end of each request, and responds.

#include <string>

#include "answer.hpp"
#include "server.hpp"

using namespace coop;

namespace {

/// Returns the next request up to its blank line, or an empty string at the end. Data that has
/// arrived after it remains in `rest`.
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

Coroutine<> handle_client(Stream client, Event*) {
  std::string rest;
  while (true) {
    const std::string request = co_await read_request(&client, &rest);
    if (request.empty()) break;
    co_await client.write(response_to(request, true));
  }
}

}  // namespace

int main(int argc, char** argv) {
  return serve(argc, argv, 0, handle_client);
}
