#pragma once

#include <memory>
#include <source_location>
#include <string>
#include <utility>

#include "dns.hpp"

namespace coop {

/// Bytes that arrive in one piece, and their sender.
struct Datagram {
  /// Sets both members.
  Datagram(std::string bytes, const Address& sender) : data(std::move(bytes)), from(sender) {}

  std::string data;  ///< may be empty
  Address from;      ///< the sender
};

/// A UDP socket, a value that moves. It is no Io: a datagram arrives whole or not at all, it may be
/// empty, which is not an end, and each may have another sender. Errors are UvError, with UV_EBADF
/// after close().
///
/// TrueAsync: I/O interface.
class Udp {
 public:
  Udp();                          ///< a socket without a port
  Udp(Udp&&) noexcept = default;  ///< the other one is closed
  Udp& operator=(Udp&&) = delete;
  ~Udp() { close(); }

  /// Listens there. Port 0 is any free port. Throws UvError, with UV_EADDRINUSE if another program
  /// listens there. A socket that sends first doesn't need this: the system chooses a port.
  void bind(const Address& address);

  /// Waits for the next datagram. While one task receives, a second one gets a `std::logic_error`.
  Coroutine<Datagram> receive(
      const std::source_location& where = std::source_location::current()) const {
    return receive_from(state_, where);
  }

  /// Waits until the system has taken the datagram, which may still be lost. Throws UvError, with
  /// UV_EMSGSIZE if it is too large. If the task is cancelled, the datagram is still sent.
  Coroutine<> send(std::string data, Address to,
                   const std::source_location& where = std::source_location::current()) const {
    return send_from(state_, std::move(data), to, where);
  }

  /// A task that waits in receive() gets UvError with UV_ECANCELED. A second call has no effect.
  void close() noexcept;

  /// Its own port. Throws UvError with UV_EBADF if it has none.
  int port() const;

 private:
  class State;

  static Coroutine<Datagram> receive_from(std::shared_ptr<State> state, std::source_location where);
  static Coroutine<> send_from(std::shared_ptr<State> state, std::string data, Address to,
                               std::source_location where);

  std::shared_ptr<State> state_;
};

}  // namespace coop
