#pragma once

#include <sys/socket.h>

#include <string>
#include <utility>

#include "coop/uv/listener.hpp"
#include "uv_world.hpp"

const coop::Address any_port("127.0.0.1", 0);

/// The two ends of one TCP connection.
struct Connection {
  coop::Stream one, other;
};

/// `one` is the end that has connected, or the one that was accepted.
inline coop::Coroutine<Connection> make_connection(bool accepted = false) {
  coop::Listener listener(any_port);
  Connection connection;
  connection.one = co_await coop::connect(coop::Address("127.0.0.1", listener.port()));
  connection.other = co_await listener.accept();
  if (accepted) std::swap(connection.one, connection.other);
  co_return std::move(connection);
}

inline coop::Coroutine<> accept_one(coop::Listener* listener) {
  co_await listener->accept();
}

/// Reads to the end.
inline coop::Coroutine<std::string> read_all(coop::Io* io) {
  std::string all;
  for (;;) {
    const std::string more = co_await io->read();
    if (more.empty()) co_return all;
    all += more;
  }
}

/// Reads once, and logs it.
inline coop::Coroutine<> read_one(Log* out, coop::Io* io, std::size_t at_most = 65536) {
  const std::string bytes = co_await io->read(at_most);
  out->push_back("\"" + bytes + "\"");
}

inline coop::Coroutine<> write_one(coop::Io* io, std::string data) {
  co_await io->write(std::move(data));
}

/// As the system does for a program that dies: the peer gets a reset.
inline void reset(coop::Stream* stream) {
  const linger none{1, 0};
  ::setsockopt(stream->descriptor(), SOL_SOCKET, SO_LINGER, &none, sizeof none);
  stream->close();
}

/// More than the system takes without a reader.
constexpr std::size_t very_much = 8 << 20;

/// Bytes that differ from their neighbours and from those of another seed.
inline std::string bytes_from(unsigned seed, std::size_t size = very_much) {
  std::string bytes(size, ' ');
  for (char& each : bytes) {
    seed = seed * 1664525 + 1013904223;
    each = static_cast<char>(seed >> 24);
  }
  return bytes;
}
