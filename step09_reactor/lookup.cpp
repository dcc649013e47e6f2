#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "coop/scheduler.hpp"
#include "coop/uv/dns.hpp"
#include "coop/uv/uv_error.hpp"
#include "coop/uv/uv_reactor.hpp"

using namespace coop;

/// Some systems give one of these, others both, in either order.
bool is_this_machine(const Address& address) {
  return address.text() == "127.0.0.1:80" || address.text() == "[::1]:80";
}

Coroutine<> find_this_machine() {
  const std::vector<Address> found = co_await resolve("localhost", "80");
  const bool here = std::ranges::all_of(found, is_this_machine);
  std::cout << "localhost is " << (here ? "this machine.\n" : "somewhere else!\n");
}

/// An address is its own answer.
Coroutine<> find_address(std::string numbers) {
  const std::vector<Address> found = co_await resolve(numbers, "443");
  std::cout << numbers << " is " << found.front().text() << ".\n";
}

/// A name with a space in it is nobody's, so that this needs no network.
Coroutine<> find_nobody() {
  try {
    co_await resolve("no such host", "80");
  } catch (const UvError& e) {
    std::cout << "Error: " << e.what() << '\n';
  }
}

Coroutine<> program() {
  co_await find_this_machine();
  co_await find_address("192.0.2.1");
  co_await find_address("2001:db8::1");
  co_await find_nobody();
}

int main() {
  UvReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(program());
}
