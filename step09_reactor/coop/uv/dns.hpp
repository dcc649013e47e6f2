#pragma once

#include <uv.h>

#include <source_location>
#include <string>
#include <vector>

#include "../core/coroutine.hpp"

namespace coop {

/// An IP address and a port.
class Address {
 public:
  /// Copies an address of the system, of either family.
  explicit Address(const sockaddr* address);

  /// From numbers, such as ("127.0.0.1", 80) or ("::1", 80). Throws UvError with UV_EINVAL if that
  /// is not an address, or if the port is not from 0 to 65535.
  Address(const std::string& numbers, int port);

  /// Returns it in the form that the system wants.
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  int port() const;             ///< for example 80
  std::string numbers() const;  ///< without the port and the zone: "127.0.0.1", "::1"

  /// "127.0.0.1:80", "[::1]:80".
  std::string text() const;

 private:
  sockaddr_storage storage_{};
};

/// Returns the addresses of a host, in the order in which they should be tried. `service` is the
/// number or the name of a port. Throws UvError: with UV_EAI_NONAME for an unknown host, with
/// UV_EINVAL for a port above 65535. It takes one of the four threads of blocking(), also after a
/// cancellation, until the system has the answer, and the end of run() waits for that.
///
/// TrueAsync: DNS.
Coroutine<std::vector<Address>> resolve(
    std::string host, std::string service,
    std::source_location where = std::source_location::current());

}  // namespace coop
