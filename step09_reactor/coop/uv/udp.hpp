#pragma once

#include <string>
#include <utility>

#include "dns.hpp"
#include "uv_event.hpp"

namespace coop {

/// What has come in one piece, and from whom.
struct Datagram {
  Datagram(std::string bytes, const Address& sender) : data(std::move(bytes)), from(sender) {}

  std::string data;
  Address from;
};

/// A UDP socket. It is no Io: what comes is a datagram, whole or not at all; it may be empty, which
/// is no end; and each may come from somebody else. Errors are UvError.
///
/// TrueAsync page, row 59 of the chapter's table.
class Udp final {
 public:
  Udp();
  Udp(const Udp&) = delete;
  Udp& operator=(const Udp&) = delete;
  ~Udp();

  /// Listens there; port 0 is any free one. UvError with UV_EADDRINUSE if somebody else does. A
  /// socket that only sends and gets answers need not: the system gives it a port.
  void bind(const Address& address);

  /// The next datagram. Nothing is taken from the system while nobody waits. While one task does, a
  /// second one that wants to is refused: `std::logic_error`.
  Coroutine<Datagram> receive();

  /// Ends when the system has taken it; whether it arrives, nobody says. UvError with UV_EMSGSIZE
  /// if it is too large for one datagram.
  Coroutine<> send(std::string data, Address to);

  /// Whoever waits gets UvError with UV_ECANCELED, whoever comes later gets one with UV_EBADF. No
  /// effect the second time. The destructor does it, too; but then nobody may be waiting.
  void close() noexcept;

  /// Its own; UvError with UV_EBADF if it has none.
  int port() const;

 private:
  class Receiving;

  uv_udp_t* get() const;

  UvHandle<uv_udp_t> handle_;
  Receiving* receiving_ = nullptr;
};

}  // namespace coop
