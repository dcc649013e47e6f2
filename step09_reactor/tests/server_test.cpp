#include "server.hpp"

#include "local_servers.hpp"
#include "uv_tcp.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> finish_and_say(Log* out, Stream* stream) {
  co_await finish(stream);
  out->push_back("finished");
}

/// The other side hears at once that there is no more, and still sends, in two pieces.
Coroutine<> send_after_the_answer(Log* out) {
  const Connection connection = co_await make_connection();
  const Handle<void> finishing = spawn(finish_and_say(out, connection.one.get()));
  co_await read_one(out, connection.other.get());
  co_await connection.other->write("more");
  co_await delay(1ms);
  co_await connection.other->write("and more");
  co_await delay(1ms);
  out->push_back("sent");
  co_await connection.other->end_writing();
  co_await finishing;
}

Coroutine<> be_idle_for_a_moment() {
  const auto server = std::make_shared<Server>(0);
  {
    const Idle idle(server);
    CHECK(server->idle == std::list<Task*>{&current_task()});
  }
  CHECK(server->idle.empty());
  co_return;
}

Coroutine<> read_and_say(Log* out, Stream* client) {
  co_await read_request(client);
  out->push_back("read");
}

Coroutine<> send_request(Log* out) {
  const Connection connection = co_await make_connection();
  const Handle<void> reading = spawn(read_and_say(out, connection.one.get()));
  for (const char* line : {"GET / HTTP/1.1\r\n", "Host: localhost\r\n", "\r\n"}) {
    co_await delay(1ms);
    out->push_back("a line");
    co_await connection.other->write(line);
  }
  co_await reading;
}

Coroutine<> ask_deaf_port(Log* out) {
  const DeafPort deaf;
  co_await outcome(out, "connect", connect_and_close(local(deaf.port())));
  const int another = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  CHECK(::bind(another, Address("127.0.0.1", deaf.port()).get(), sizeof(sockaddr_in)) < 0);
  ::close(another);
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a client that is finished with may send on, and is read to its end",
                 "[step09]") {
  scheduler.run(send_after_the_answer(&log));
  REQUIRE(log == Log{"\"\"", "sent", "finished"});
}

TEST_CASE_METHOD(UvWorld, "who is not idle any more is not in the list", "[step09]") {
  scheduler.run(be_idle_for_a_moment());
}

TEST_CASE_METHOD(UvWorld, "a server of the examples reads a request to its empty line",
                 "[step09]") {
  scheduler.run(send_request(&log));
  REQUIRE(log == Log{"a line", "a line", "a line", "read"});
}

TEST_CASE_METHOD(UvWorld, "a deaf port is taken, and refuses everybody", "[step09]") {
  scheduler.run(ask_deaf_port(&log));
  REQUIRE(log == Log{"connect: ECONNREFUSED"});
}
