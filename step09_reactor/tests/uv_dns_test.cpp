#include <netdb.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <vector>

#include "coop/uv/dns.hpp"
#include "coop/uv/thread.hpp"
#include "uv_world.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> look_up(Log* out, std::string host, std::string service) {
  const std::vector<Address> found = co_await resolve(host, service);
  for (const Address& address : found) out->push_back(address.text());
}

std::string error_of(const std::string& numbers, int port = 1) {
  try {
    return Address(numbers, port).text();
  } catch (const UvError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "resolving returns the addresses of a host", "[step09]") {
  scheduler.run(look_up(&log, "127.0.0.1", "80"));
  scheduler.run(look_up(&log, "::1", "65535"));
  REQUIRE(log == Log{"127.0.0.1:80", "[::1]:65535"});
}

TEST_CASE_METHOD(UvWorld, "localhost has the addresses of the loopback", "[step09]") {
  // A bare system has no list of the names of services.
  const std::string http = getservbyname("http", "tcp") != nullptr ? "http" : "80";
  scheduler.run(look_up(&log, GENERATE("localhost", "localhost."), http));
  std::sort(log.begin(), log.end());  // without IPv6, the system puts ::1 last
  REQUIRE(log == Log{"127.0.0.1:80", "[::1]:80"});
}

TEST_CASE_METHOD(UvWorld, "resolving an unknown host throws the error of libuv", "[step09]") {
  scheduler.run(outcome(&log, "host", look_up(&log, "no-such-host.invalid", "80")));
  REQUIRE(log.size() == 1);
  REQUIRE((log[0] == "host: EAI_NONAME" || log[0] == "host: EAI_AGAIN"));
}

TEST_CASE_METHOD(UvWorld, "resolving refuses a port above 65535 and a zero byte", "[step09]") {
  for (const char* const port : {"65536", "+70000", "-1", "18446744073709551617"}) {
    scheduler.run(report(&log, port, look_up(&log, "127.0.0.1", port)));
    CHECK(log.back() ==
          std::string(port) + ": " + port + " is not a port: invalid argument (EINVAL)");
  }
  const std::string zero("127.0.0.1\0", 10);
  scheduler.run(outcome(&log, "host", look_up(&log, zero, "80")));
  CHECK(log.back() == "host: EINVAL");
  scheduler.run(outcome(&log, "service", look_up(&log, "127.0.0.1", "no such service")));
  CHECK(log.back().find("service: EAI_") == 0);
}

TEST_CASE_METHOD(UvWorld, "a lookup that a thread has begun outlives its cancelled task",
                 "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    std::promise<void> end;
    std::atomic<bool> done = false;
    const auto wait = [may_end = end.get_future().share()] { may_end.wait(); };
    for (int i = 0; i < 3; ++i) spawn(blocking(wait));
    const Handle<void> task = spawn(outcome(out, "it", look_up(out, "localhost", "80")));
    spawn(blocking([&done] { done = true; }));
    co_await yield();
    while (!done) {  // the fourth thread has looked it up before, and libuv has not answered yet
    }
    task->cancel();
    co_await task;
    end.set_value();
    co_await sleep(1ms);
  }(&log));
  REQUIRE(log == Log{"it: cancelled: cancelled"});
}

TEST_CASE("an address is written in numbers", "[step09]") {
  CHECK(Address("127.0.0.1", 80).text() == "127.0.0.1:80");
  CHECK(Address("2001:db8:0:0:0:0:0:1", 0).text() == "[2001:db8::1]:0");
  CHECK(Address("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255", 1).numbers() ==
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
  CHECK(Address(Address("::1", 7).get()).text() == "[::1]:7");
  CHECK(Address(Address("10.0.0.1", 7).get()).port() == 7);
}

TEST_CASE("a wrong address is an error", "[step09]") {
  for (const char* text : {"", "localhost", "1.2.3", "1.2.3.4.5", "256.0.0.1", ":", "1:2", "::g",
                           "fe80::1%no such zone"}) {
    CHECK(error_of(text) ==
          "\"" + std::string(text) + "\" is not an address: invalid argument (EINVAL)");
  }
  CHECK(error_of("127.0.0.1", 65536) == "65536 is not a port: invalid argument (EINVAL)");
}
