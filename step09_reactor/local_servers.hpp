#pragma once

#include <memory>
#include <string>

#include "coop/uv/line_reader.hpp"
#include "coop/uv/listener.hpp"

// Servers on this machine, for programs that want to be shown something. Each serves one client.

/// Reads until the empty line that ends a request, or until the client goes.
inline coop::Coroutine<> read_request(coop::Io* client) {
  coop::LineReader reader(*client);
  std::string line;
  do {
    line = co_await reader.read_line();
  } while (!line.empty() && line != "\r\n");
}

/// Answers with so many lines, one after the other.
inline coop::Coroutine<> answer(coop::Listener* listener, int lines) {
  const std::unique_ptr<coop::Stream> client = co_await listener->accept();
  co_await read_request(client.get());
  for (int i = 1; i <= lines; ++i) {
    co_await client->write("This is line " + std::to_string(i) + ".\r\n");
    co_await coop::delay(std::chrono::milliseconds(1));
  }
}

/// Never answers; ends when the client has gone.
inline coop::Coroutine<> keep_silent(coop::Listener* listener) {
  const std::unique_ptr<coop::Stream> client = co_await listener->accept();
  co_await read_request(client.get());
  co_await client->read();
}

/// A port that refuses all clients for as long as this lives: it is taken, but nobody listens.
class DeafPort {
 public:
  DeafPort() : handle_(coop::make_tcp()) {
    const coop::Address any("127.0.0.1", 0);
    coop::check(uv_tcp_bind(&handle_->tcp, any.get(), 0), "cannot take a port");
    sockaddr_storage own{};
    int size = sizeof own;
    coop::check(uv_tcp_getsockname(&handle_->tcp, reinterpret_cast<sockaddr*>(&own), &size),
                "cannot take a port");
    port_ = coop::Address(reinterpret_cast<const sockaddr*>(&own)).port();
  }

  int port() const { return port_; }

 private:
  coop::UvHandle<coop::UvStream> handle_;
  int port_ = 0;
};
