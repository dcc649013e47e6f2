// A server on step 9 that keeps its connections: it finds the end of each request, and responds.

#include <string>

#include "answer.hpp"
#include "server.hpp"

using namespace coop;

namespace {

Coroutine<> handle_client(Stream client, Event*) {
  std::string requests;  // those that have arrived; the last one may be incomplete
  while (true) {
    const std::string more = co_await client.read(8192);
    if (more.empty()) break;
    requests += more;
    std::size_t end = std::string::npos;
    while ((end = requests.find("\r\n\r\n")) != std::string::npos) {
      const std::string request = requests.substr(0, end + 4);
      requests.erase(0, end + 4);
      co_await client.write(response_to(request, true));
    }
  }
}

}  // namespace

int main(int, char** argv) {
  return serve(1, argv, 0, handle_client);
}
