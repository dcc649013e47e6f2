#pragma once

#include <uv.h>

#include <source_location>
#include <string>
#include <vector>

#include "../coroutine.hpp"

namespace coop {

/// Where something listens: an address and a port.
class Address {
 public:
  explicit Address(const sockaddr* address);

  /// From numbers, such as ("127.0.0.1", 80) or ("::1", 80). Throws UvError with UV_EINVAL if that
  /// is no address or no port.
  Address(const std::string& numbers, int port);

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  int port() const;
  std::string numbers() const;

  /// "127.0.0.1:80", "[::1]:80".
  std::string text() const;

 private:
  sockaddr_storage storage_{};
};

/// The addresses of a host, in the order in which they should be tried. `service` is a port's
/// number or name. Throws UvError if there are none: UV_EAI_NONAME for a host that nobody knows.
///
/// TrueAsync page, row 53 of the chapter's table.
Coroutine<std::vector<Address>> resolve(
    std::string host, std::string service,
    std::source_location where = std::source_location::current());

}  // namespace coop
