#include "uv_tcp.hpp"

using namespace coop;

namespace {

/// A port that is taken and at which nobody listens: the system refuses who connects. If it is
/// deaf, somebody listens, and the system takes no more connections: who wants one waits for good.
class SilentPort {
 public:
  explicit SilentPort(bool deaf = false) {
    const Address any("127.0.0.1", 0);
    sockaddr_in own{};
    socklen_t size = sizeof own;
    ::bind(both_[0], any.get(), size);
    ::getsockname(both_[0], reinterpret_cast<sockaddr*>(&own), &size);
    port_ = ntohs(own.sin_port);
    if (!deaf) return;
    ::listen(both_[0], 0);
    ::connect(both_[1], reinterpret_cast<const sockaddr*>(&own), size);
  }
  SilentPort(const SilentPort&) = delete;
  ~SilentPort() {
    ::close(both_[0]);
    ::close(both_[1]);
  }
  operator int() const { return port_; }

 private:
  int both_[2] = {::socket(AF_INET, SOCK_STREAM, 0), ::socket(AF_INET, SOCK_STREAM, 0)};
  int port_ = 0;
};

Coroutine<> be_refused(Log* out) {
  const SilentPort port;
  co_await outcome(out, "one", connect_and_close(local(port)));
  std::vector<Address> several(3, Address("127.0.0.1", port));
  co_await outcome(out, "three", connect_and_close(std::move(several)));
  std::vector<Address> none;
  co_await outcome(out, "none", connect_and_close(std::move(none)));
}

Coroutine<> try_several(Log* out) {
  Listener listener(Address("127.0.0.1", 0));
  const SilentPort refuses;
  std::vector<Address> addresses = local(refuses);
  addresses.emplace_back("127.0.0.1", listener.port());
  addresses.emplace_back("127.0.0.1", refuses);
  spawn(accept_and_greet(&listener, "hello"));
  co_await be_greeted(out, std::move(addresses));
}

Coroutine<> see_addresses(Log* out) {
  const Connection ends = co_await make_connection();
  out->push_back(peer_of(*ends.one).numbers());
  ends.one->close();
  CHECK_THROWS_AS(ends.one->descriptor(), UvError);
  try {
    peer_of(*ends.one);
  } catch (...) {
    out->push_back(name_of(std::current_exception()));
  }
}

Coroutine<> lose_the_peer(Log* out) {
  const Connection ends = co_await make_connection();
  reset(ends.other.get());
  co_await outcome(out, "read", read_one(out, ends.one.get()));
  try {
    peer_of(*ends.one);
  } catch (...) {
    out->push_back(name_of(std::current_exception()));
  }
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a connection that nobody takes is refused", "[step09]") {
  scheduler.run(be_refused(&log));
  REQUIRE(log == Log{"one: ECONNREFUSED", "three: ECONNREFUSED",
                     "none: There is no address to connect to"});
}

TEST_CASE_METHOD(UvWorld, "of several addresses the first that accepts is taken", "[step09]") {
  scheduler.run(try_several(&log));
  REQUIRE(log == Log{"\"hello\""});
}

TEST_CASE_METHOD(UvWorld, "a connection knows its peer", "[step09]") {
  scheduler.run(see_addresses(&log));
  REQUIRE(log == Log{"127.0.0.1", "EBADF"});
}

TEST_CASE_METHOD(UvWorld, "a connection that was reset has no peer", "[step09]") {
  scheduler.run(lose_the_peer(&log));
  REQUIRE(log == Log{"read: ECONNRESET", "ENOTCONN"});
}

TEST_CASE_METHOD(UvWorld, "a host that never answers is given up, in any way", "[step09]") {
  const SilentPort deaf(true);
  const int port = deaf;
  check_contract(this, keep_contract(&log, [port] { return connect_and_close(local(port)); }));
}
