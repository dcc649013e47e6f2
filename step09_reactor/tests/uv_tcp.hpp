#pragma once

#include <sys/socket.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coop/uv/listener.hpp"
#include "uv_world.hpp"

/// Two ends of one TCP connection.
struct Connection {
  std::unique_ptr<coop::Stream> one, other;
};

inline std::vector<coop::Address> local(int port) {
  return {coop::Address("127.0.0.1", port)};
}

inline coop::Coroutine<Connection> make_connection() {
  coop::Listener listener(coop::Address("127.0.0.1", 0));
  Connection connection;
  connection.one = co_await coop::connect(local(listener.port()));
  connection.other = co_await listener.accept();
  co_return connection;
}

/// Reads until the end.
inline coop::Coroutine<std::string> read_all(coop::Io* io) {
  std::string all;
  for (;;) {
    const std::string more = co_await io->read();
    if (more.empty()) co_return all;
    all += more;
  }
}

inline coop::Coroutine<> read_one(Log* out, coop::Io* io) {
  const std::string bytes = co_await io->read();
  out->push_back("\"" + bytes + "\"");
}

inline coop::Coroutine<> connect_and_close(std::vector<coop::Address> addresses) {
  const std::unique_ptr<coop::Stream> stream = co_await coop::connect(std::move(addresses));
}

inline coop::Coroutine<> accept_and_greet(coop::Listener* listener, std::string greeting) {
  const std::unique_ptr<coop::Stream> stream = co_await listener->accept();
  co_await stream->write(greeting);
}

inline coop::Coroutine<> be_greeted(Log* out, std::vector<coop::Address> addresses) {
  const std::unique_ptr<coop::Stream> stream = co_await coop::connect(std::move(addresses));
  co_await read_one(out, stream.get());
}

/// What TCP does when a program dies: the peer is told that it is over, whatever was under way.
inline void reset(coop::Stream* stream) {
  const linger none{1, 0};
  ::setsockopt(stream->descriptor(), SOL_SOCKET, SO_LINGER, &none, sizeof none);
  stream->close();
}

/// More than fits on the way.
constexpr std::size_t very_much = 8 << 20;

/// Bytes of which none is like its neighbours, nor like that of another seed.
inline std::string bytes_from(unsigned seed, std::size_t size = very_much) {
  std::string bytes(size, ' ');
  for (char& each : bytes) {
    seed = seed * 1664525 + 1013904223;
    each = static_cast<char>(seed >> 24);
  }
  return bytes;
}
