#pragma once

#include "stream.hpp"

namespace coop {

/// Listens for TCP connections. It is a value that moves, also while tasks wait for it.
class Listener {
 public:
  /// Port 0 is any free port. Throws UvError, with UV_EADDRINUSE if another program listens there.
  explicit Listener(const Address& address);
  Listener(Listener&&) noexcept = default;  ///< the other one is closed then, and has no port
  Listener& operator=(Listener&&) = delete;
  ~Listener() { close(); }

  /// Waits for the next connection: `Stream client = co_await listener.accept();`. Any number of
  /// tasks may wait. Each sixteenth call ends the turn. If the process is out of file descriptors,
  /// this closes the connection of the client, and waits for the next one; if it cannot do that
  /// either, it throws UvError with UV_EMFILE.
  Coroutine<Stream> accept(const std::source_location& where = std::source_location::current()) {
    return accept_from(state_, where);
  }

  /// Accepts no more. The connections that have been made already, also those in the backlog, can
  /// still be accepted; after them, accept() throws UvError with UV_ECANCELED. A second call has no
  /// effect.
  void close() noexcept;

  /// Returns the port, also the one that the system has chosen for port 0, and after close().
  int port() const;

 private:
  class State;

  static Coroutine<Stream> accept_from(std::shared_ptr<State> state, std::source_location where);

  std::shared_ptr<State> state_;
};

}  // namespace coop
