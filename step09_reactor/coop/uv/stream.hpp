#pragma once

#include <uv.h>

#include <vector>

#include "dns.hpp"
#include "io.hpp"
#include "uv_reactor.hpp"

namespace coop::detail {

/// The handles of libuv that are streams.
union UvStream {
  uv_stream_t stream;
  uv_tcp_t tcp;
  uv_pipe_t pipe;
  uv_tty_t tty;
};

/// Handles for a TCP connection and a pipe.
UvHandle<UvStream> make_tcp(uv_loop_t* loop = UvReactor::current().loop());
UvHandle<UvStream> make_pipe();

}  // namespace coop::detail

namespace coop {

class Descriptor;

/// An Io that is a stream for libuv: a TCP connection, a pipe, a terminal. If bytes are there
/// already, a read costs no turn; but each sixteenth read or write ends the turn, so that other
/// tasks have theirs although a peer is always ready.
class Stream final : public Io {
 public:
  Stream() = default;
  explicit Stream(UvHandle<detail::UvStream> handle);  ///< closed, if there is no handle
  explicit Stream(Descriptor connection);              ///< a TCP connection, which is non-blocking

  /// The event that a read() returns at once: there are bytes, the end or an error. It lives as
  /// long as the stream.
  Event& readable() const;

  /// Tells the peer that no more data will be written. Reading is still possible.
  Coroutine<> end_writing(const std::source_location& where = std::source_location::current());

  /// Sends small writes immediately, although earlier ones are not confirmed yet. Throws UvError,
  /// with UV_ENOTSUP if it is no TCP connection.
  void no_delay();

  /// The descriptor, which the stream owns. Throws UvError with UV_EBADF if it is closed.
  int descriptor() const;

  /// The address of the peer of a TCP connection. Throws UvError.
  Address peer() const;

 private:
  class Opened;
};

/// Makes a TCP connection. Throws UvError, for example with UV_ECONNREFUSED.
Coroutine<Stream> connect(Address address,
                          std::source_location where = std::source_location::current());

/// Makes a TCP connection to the first of these addresses that accepts it. If none does, throws the
/// error of the last one.
Coroutine<Stream> connect(std::vector<Address> addresses,
                          std::source_location where = std::source_location::current());

/// `Stream peer = co_await connect("localhost", 80);` does the same with the addresses of a host,
/// which is a name or a number. Throws the errors of resolve(), too.
Coroutine<Stream> connect(std::string host, int port,
                          std::source_location where = std::source_location::current());

}  // namespace coop
