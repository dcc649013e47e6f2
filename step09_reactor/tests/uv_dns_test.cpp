#include <future>
#include <vector>

#include "coop/uv/blocking.hpp"
#include "coop/uv/dns.hpp"
#include "uv_world.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> look_up(Log* out, std::string host, std::string service) {
  const std::vector<Address> found = co_await resolve(host, service);
  for (const Address& address : found) out->push_back(address.text());
}

/// Keeps all threads busy, so that a look-up has to wait for one.
Coroutine<> check_waiting(Log* out, std::shared_future<void> end) {
  for (int i = 0; i < 4; ++i) spawn(blocking([end] { end.wait(); }));
  co_await suspend();
  const auto look = [out] { return look_up(out, "127.0.0.1", "80"); };
  co_await keep_contract(out, look);
}

std::string error_of(const std::string& numbers, int port = 1) {
  try {
    return Address(numbers, port).text();
  } catch (const UvError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "an address in numbers needs no look-up", "[step09]") {
  scheduler.run(look_up(&log, "127.0.0.1", "80"));
  scheduler.run(look_up(&log, "::1", "8080"));
  REQUIRE(log == Log{"127.0.0.1:80", "[::1]:8080"});
}

TEST_CASE_METHOD(UvWorld, "localhost is this machine, whatever its files say", "[step09]") {
  scheduler.run(look_up(&log, "localhost", "80"));
  REQUIRE(log == Log{"127.0.0.1:80"});
}

TEST_CASE_METHOD(UvWorld, "a host that nobody knows is an error with libuv's name", "[step09]") {
  scheduler.run(outcome(&log, "host", look_up(&log, "no-such-host.invalid", "80")));
  REQUIRE(log.size() == 1);
  REQUIRE((log[0] == "host: EAI_NONAME" || log[0] == "host: EAI_AGAIN"));
}

TEST_CASE_METHOD(UvWorld, "what cannot be the name of a host is an error", "[step09]") {
  scheduler.run(outcome(&log, "long", look_up(&log, std::string(5000, 'x'), "80")));
  scheduler.run(outcome(&log, "service", look_up(&log, "127.0.0.1", "no such service")));
  REQUIRE(log.size() == 2);
  REQUIRE(log[0].find("long: E") == 0);
  REQUIRE(log[1].find("service: EAI_") == 0);
}

TEST_CASE_METHOD(UvWorld, "many hosts are looked up at once", "[step09]") {
  for (int i = 1; i <= 50; ++i) {
    scheduler.spawn(look_up(&log, "127.0.0." + std::to_string(i), std::to_string(i)));
  }
  scheduler.run();
  REQUIRE(log.size() == 50);
}

TEST_CASE_METHOD(UvWorld, "a look-up is cancelled, ended in time, and destroyed", "[step09]") {
  std::promise<void> end;
  check_contract(this, check_waiting(&log, end.get_future().share()));
  end.set_value();
}

TEST_CASE_METHOD(UvWorld, "a look-up that has begun is cancelled or destroyed", "[step09]") {
  const Handle<void> task = scheduler.spawn(outcome(&log, "it", look_up(&log, "localhost", "80")));
  SECTION("cancelled") {
    scheduler.spawn(cancel(&*task));
    scheduler.run();
    REQUIRE(log == Log{"it: cancelled: cancelled"});
  }
  SECTION("destroyed") {
    scheduler.spawn(stop());
    REQUIRE_THROWS_AS(scheduler.run(), Stopped);
    REQUIRE(log.empty());
  }
}

TEST_CASE("an address is written in numbers", "[step09]") {
  CHECK(Address("127.0.0.1", 80).text() == "127.0.0.1:80");
  CHECK(Address("::1", 65535).text() == "[::1]:65535");
  CHECK(Address("2001:db8:0:0:0:0:0:1", 0).text() == "[2001:db8::1]:0");
  CHECK(Address("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255", 1).numbers() ==
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
  CHECK(Address(Address("::1", 7).get()).text() == "[::1]:7");
  CHECK(Address(Address("10.0.0.1", 7).get()).port() == 7);
}

TEST_CASE("what is no address in numbers is an error", "[step09]") {
  for (const char* text : {"", "localhost", "1.2.3", "1.2.3.4.5", "256.0.0.1", ":", "1:2", "::g"}) {
    CHECK(error_of(text) ==
          "\"" + std::string(text) + "\" is no address: invalid argument (EINVAL)");
  }
  CHECK(error_of("127.0.0.1", 65536) == "65536 is no port: invalid argument (EINVAL)");
}
