#pragma once

#include <deque>
#include <memory>
#include <string>

#include "stream.hpp"

namespace coop {

/// Listens for TCP connections. As an event: that one has come.
class Listener final : public UvEvent {
 public:
  /// Port 0 is any free one. The system queues as many connections as it allows. Throws UvError:
  /// with UV_EADDRINUSE if somebody else listens there.
  explicit Listener(const Address& address);

  /// The next connection. Any number of tasks may wait. If no descriptor is free, libuv sends the
  /// client away and says nothing; if it cannot even do that, this throws UvError with UV_EMFILE.
  Coroutine<std::unique_ptr<Stream>> accept();

  /// Accepts no more. Connections that have come before are still given; then accept() throws
  /// UvError with UV_ECANCELED. No effect the second time.
  void close() noexcept;

  int port() const { return port_; }

  bool is_ready() const override { return status_ < 0 || held_back_ || !arrived_.empty(); }
  std::string description() const override { return "a connection"; }

 private:
  static void came(uv_stream_t* handle, int status);
  void take();

  UvHandle<UvStream> handle_;
  int port_ = 0;
  int status_ = 0;  // an error that the next accept() shall throw
  std::deque<UvHandle<UvStream>> arrived_;
  bool held_back_ = false;  // one more, by libuv, until we take it
};

}  // namespace coop
