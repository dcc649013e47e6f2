#include "dns.hpp"

#include <array>
#include <cstdlib>
#include <cstring>

#include "uv_event.hpp"

namespace coop {
using namespace detail;
namespace {

struct FreeAddresses {
  void operator()(addrinfo* found) const { uv_freeaddrinfo(found); }
};

using Lookup = UvRequest<uv_getaddrinfo_t, std::unique_ptr<addrinfo, FreeAddresses>>;

void found(uv_getaddrinfo_t* uv, int status, addrinfo* found) {
  Lookup& lookup = Lookup::of(uv);
  lookup.data.reset(found);
  lookup.finish(status);
}

[[noreturn]] void refuse_port(const std::string& port) {
  throw UvError(UV_EINVAL, port + " is not a port");
}

/// The system would take the number modulo 65536.
void check_port(const std::string& service) {
  char* end = nullptr;
  const unsigned long number = std::strtoul(service.c_str(), &end, 10);
  if (*end == '\0' && number > 65535) refuse_port(service);
}

}  // namespace

Address::Address(const sockaddr* address) {
  const std::size_t size =
      address->sa_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  std::memcpy(&storage_, address, size);
}

Address::Address(const std::string& numbers, int port) {
  if (port < 0 || port > 65535) refuse_port(std::to_string(port));
  const std::string doing = "\"" + numbers + "\" is not an address";
  const char* const text = c_string(numbers, doing);
  const bool six = numbers.find(':') != std::string::npos;
  check(six ? uv_ip6_addr(text, port, reinterpret_cast<sockaddr_in6*>(&storage_))
            : uv_ip4_addr(text, port, reinterpret_cast<sockaddr_in*>(&storage_)),
        doing);
  const bool has_zone = six && numbers.find('%') != std::string::npos;
  const auto& with_zone = reinterpret_cast<const sockaddr_in6&>(storage_);
  if (has_zone && with_zone.sin6_scope_id == 0) throw UvError(UV_EINVAL, doing);
}

int Address::port() const {  // at the same place in both kinds
  return ntohs(reinterpret_cast<const sockaddr_in*>(&storage_)->sin_port);
}

std::string Address::numbers() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  uv_ip_name(get(), text.data(), text.size());
  return text.data();
}

std::string Address::text() const {
  const bool six = get()->sa_family == AF_INET6;
  std::string text = six ? "[" : "";
  text += numbers();
  text += six ? "]:" : ":";
  return text += std::to_string(port());
}

Coroutine<std::vector<Address>> resolve(std::string host, std::string service,
                                        std::source_location where) {
  const std::string doing = "cannot find the address of " + host;
  check_port(service);
  const bool is_local = host == "localhost" || host == "localhost.";    // RFC 6761, 6.3
  const char* const node = is_local ? nullptr : c_string(host, doing);  // null is the loopback
  const char* const port = c_string(service, doing);
  const auto lookup = std::make_shared<Lookup>(doing);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  uv_loop_t* const loop = UvReactor::current().loop();
  const int sent = uv_getaddrinfo(loop, &lookup->uv, found, node, port, &hints);
  co_await Sent(lookup, sent, where);
  std::vector<Address> addresses;
  for (const addrinfo* each = lookup->data.get(); each; each = each->ai_next) {
    addresses.emplace_back(each->ai_addr);
  }
  co_return addresses;
}

}  // namespace coop
