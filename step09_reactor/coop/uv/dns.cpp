#include "dns.hpp"

#include <array>
#include <cstring>

#include "request.hpp"

namespace coop {
namespace {

struct FreeAddresses {
  void operator()(addrinfo* found) const { uv_freeaddrinfo(found); }
};

using Lookup = Request<uv_getaddrinfo_t, std::unique_ptr<addrinfo, FreeAddresses>>;

void found(uv_getaddrinfo_t* uv, int status, addrinfo* found) {
  Lookup& lookup = Lookup::of(uv);
  lookup.data.reset(found);
  lookup.answer(status);
}

}  // namespace

Address::Address(const sockaddr* address) {
  const std::size_t size =
      address->sa_family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  std::memcpy(&storage_, address, size);
}

Address::Address(const std::string& numbers, int port) {
  if (port < 0 || port > 65535) throw UvError(UV_EINVAL, std::to_string(port) + " is no port");
  const bool six = numbers.find(':') != std::string::npos;
  const int result =
      six ? uv_ip6_addr(numbers.c_str(), port, reinterpret_cast<sockaddr_in6*>(&storage_))
          : uv_ip4_addr(numbers.c_str(), port, reinterpret_cast<sockaddr_in*>(&storage_));
  check(result, "\"" + numbers + "\" is no address");
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
  return (six ? "[" + numbers() + "]" : numbers()) + ":" + std::to_string(port());
}

Coroutine<std::vector<Address>> resolve(std::string host, std::string service,
                                        std::source_location where) {
  const std::string doing = "cannot find the address of " + host;
  if (host == "localhost") host = "127.0.0.1";  // also where no file says so: RFC 6761, 6.3
  const auto lookup = std::make_shared<Lookup>("the address of " + host);
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  check(uv_getaddrinfo(UvReactor::current().loop(), &lookup->uv, found, host.c_str(),
                       service.c_str(), &hints),
        doing);
  const Sent sent(lookup);
  co_await wait(*lookup, where);
  check(lookup->status, doing);
  std::vector<Address> addresses;
  for (const addrinfo* each = lookup->data.get(); each; each = each->ai_next) {
    addresses.emplace_back(each->ai_addr);
  }
  co_return addresses;
}

}  // namespace coop
