#pragma once

#include <uv.h>

#include <memory>
#include <string>

#include "dns.hpp"
#include "io.hpp"
#include "uv_event.hpp"

namespace coop {

/// The handles of libuv that are streams.
union UvStream {
  uv_stream_t stream;
  uv_tcp_t tcp;
  uv_pipe_t pipe;
  uv_tty_t tty;
};

/// An Io that is a stream for libuv: a TCP connection, a pipe, a terminal.
class Stream final : public Io {
 public:
  explicit Stream(UvHandle<UvStream> handle);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() override;

  /// If bytes are there, this costs no turn; but each sixteenth read, or write, ends the turn, so
  /// that a peer that is always ready does not keep everybody else waiting.
  Coroutine<std::string> read(std::size_t at_most = 65536) override;
  Coroutine<> write(std::string data) override;
  void close() noexcept override;

  /// Tells the other end that no more will be written. Reading goes on.
  Coroutine<> end_writing();

  /// The descriptor, or UvError with UV_EBADF if it is closed. It stays with the stream.
  int descriptor() const;

 private:
  class Incoming;
  class Reading;

  uv_stream_t* stream() const;

  UvHandle<UvStream> handle_;
  int descriptor_ = -1;
  unsigned reads_ = 0;
  unsigned writes_ = 0;
  std::shared_ptr<Incoming> incoming_;
};

/// Handles for a TCP connection, or a pipe, that is to come.
UvHandle<UvStream> make_tcp(uv_loop_t* loop = UvReactor::current().loop());
UvHandle<UvStream> make_pipe();

/// A TCP connection to one of these addresses: the first that accepts it. Throws what the last one
/// said if none does.
Coroutine<std::unique_ptr<Stream>> connect(std::vector<Address> addresses);

/// The other end of a TCP connection.
Address peer_of(const Stream& stream);

}  // namespace coop
