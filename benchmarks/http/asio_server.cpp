// Boost.Asio with awaitables, with one thread: `asio_server`, `asio_server keep`.
#include <boost/asio.hpp>
#include <cstdio>
#include <string>
#include <utility>

#include "answer.hpp"

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

bool keep = false;

asio::awaitable<void> handle_client(tcp::socket client) {
  try {
    std::string request;
    do {
      const std::size_t size = co_await asio::async_read_until(
          client, asio::dynamic_buffer(request, 8192), "\r\n\r\n", asio::use_awaitable);
      const std::string answer = response_to(request.substr(0, size), keep);
      request.erase(0, size);
      co_await asio::async_write(client, asio::buffer(answer), asio::use_awaitable);
    } while (keep);
  } catch (const boost::system::system_error&) {
    // The client has closed the connection.
  }
}

asio::awaitable<void> accept_all(tcp::acceptor acceptor) {
  while (true) {
    tcp::socket client = co_await acceptor.async_accept(asio::use_awaitable);
    asio::co_spawn(acceptor.get_executor(), handle_client(std::move(client)), asio::detached);
  }
}

}  // namespace

int main(int argc, char**) {
  keep = argc > 1;
  asio::io_context context(1);
  tcp::acceptor acceptor(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  std::printf("Starting server at port %d...\n", acceptor.local_endpoint().port());
  std::fflush(stdout);
  asio::co_spawn(context, accept_all(std::move(acceptor)), asio::detached);
  context.run();
}
