#include "co_socket.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "any_catch2.hpp"
#include "calling.hpp"
#include "line_reader.hpp"
#include "listen.hpp"
#include "peer.hpp"
#include "process.hpp"
#include "script.hpp"

namespace {

struct Pair {
  Pair() {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
    here = CoSocket(Socket(ends[0]));
    there = Socket(ends[1]);
  }
  CoSocket here;
  Socket there;
};

/// As long as it lives, the process gets no new descriptor.
class NoFreeDescriptor {
 public:
  NoFreeDescriptor() {
    ::getrlimit(RLIMIT_NOFILE, &kept_);
    const int free = ::dup(0);
    ::close(free);
    const rlimit used{static_cast<rlim_t>(free), kept_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &used);
  }
  ~NoFreeDescriptor() { ::setrlimit(RLIMIT_NOFILE, &kept_); }
  NoFreeDescriptor(const NoFreeDescriptor&) = delete;
  NoFreeDescriptor& operator=(const NoFreeDescriptor&) = delete;

 private:
  rlimit kept_{};
};

using Data = Outcome<std::string>;
using Written = Outcome<Nothing>;

Script::Step act(std::function<void()> action) {
  return [action = std::move(action)](const Value&) -> std::optional<Yielded> {
    action();
    return Nothing{};
  };
}

/// All the lines that come out of `text`, each read by a call of its own.
std::vector<std::string> lines_of(const std::string& text) {
  Pair pair;
  pair.there.write(text);
  pair.there.close();
  const LineReader reader(pair.here);
  std::vector<Data> results;
  do {
    Scheduler scheduler;
    scheduler.new_task(calling<std::string>(reader.readline(), results));
    scheduler.run();
  } while (!results.back().value.empty());
  std::vector<std::string> lines;
  for (const Data& result : results) lines.push_back(result.value);
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("read waits, and gives what has come", "[step08]") {
  Pair pair;
  std::vector<Data> results;
  Scheduler scheduler;
  scheduler.new_task(calling<std::string>(pair.here.read(10), results));
  scheduler.new_task(script({act([&] { pair.there.write("hello"); })}));
  scheduler.run();
  REQUIRE(results.at(0).value == "hello");
  REQUIRE_FALSE(results[0].error);
}

TEST_CASE("two readers of one socket: the second goes on waiting", "[step08]") {
  Pair pair;
  std::vector<Data> results;
  Scheduler scheduler;
  scheduler.new_task(calling<std::string>(pair.here.read(10), results));
  scheduler.new_task(calling<std::string>(pair.here.read(10), results));
  scheduler.new_task(script({act([&] { pair.there.write("one"); }), act([] {}), act([] {}),
                             act([&] { pair.there.write("two"); })}));
  scheduler.run();
  REQUIRE(results.size() == 2);
  REQUIRE(results[0].value == "one");
  REQUIRE(results[1].value == "two");
}

TEST_CASE("closing ends a read and a write that wait, with an error", "[step08]") {
  Pair pair;
  std::vector<Data> read;
  std::vector<Written> written;
  Scheduler scheduler;
  scheduler.new_task(calling<std::string>(pair.here.read(10), read));
  scheduler.new_task(calling<Nothing>(pair.here.write(std::string(4000000, 'x')), written));
  scheduler.new_task(script({act([] {}), act([] {}), act([&] { pair.here.close(); })}));
  scheduler.run();
  REQUIRE(read.at(0).error == std::errc::operation_canceled);
  REQUIRE(written.at(0).error == std::errc::operation_canceled);
}

TEST_CASE("write writes all, to a slow reader, while others run", "[step08]") {
  Pair pair;
  std::vector<Written> results;
  std::string got;
  int turns = 0;
  Scheduler scheduler;
  const std::string data(4 << 20, 'x');
  scheduler.new_task(calling<Nothing>(pair.here.write(data), results));
  std::vector<Script::Step> reading(2000, act([&] {
                                      ++turns;
                                      got += pair.there.read(10000).value;
                                    }));
  scheduler.new_task(script(reading));
  scheduler.run();
  REQUIRE(turns == 2000);
  REQUIRE(results.size() == 1);
  REQUIRE_FALSE(results[0].error);
  REQUIRE(got.size() == data.size());
}

TEST_CASE("a write of nothing is done at once", "[step08]") {
  Pair pair;
  std::vector<Written> results;
  Scheduler scheduler;
  scheduler.new_task(calling<Nothing>(pair.here.write(""), results));
  scheduler.run();
  REQUIRE(results.size() == 1);
  REQUIRE_FALSE(results[0].error);
}

TEST_CASE("a write to a peer that is gone gives an error", "[step08]") {
  Pair pair;
  pair.there.close();
  std::vector<Written> results;
  Scheduler scheduler;
  scheduler.new_task(calling<Nothing>(pair.here.write("x"), results));
  scheduler.run();
  REQUIRE(results.at(0).error == std::errc::broken_pipe);
}

TEST_CASE("read with a deadline ends by itself", "[step08]") {
  Pair pair;
  std::vector<Data> results;
  Scheduler scheduler;
  scheduler.new_task(calling<std::string>(
      pair.here.read(10, Clock::now() + std::chrono::milliseconds(10)), results));
  scheduler.run();
  REQUIRE(results.at(0).error == std::errc::timed_out);
}

TEST_CASE("two tasks accept on one listener", "[step08]") {
  const CoSocket listener(listen_on(0).value);
  std::vector<Outcome<Socket>> clients;
  std::vector<Peer> peers;
  Scheduler scheduler;
  for (int i = 0; i < 2; ++i) scheduler.new_task(calling<Socket>(listener.accept(), clients));
  const Script::Step connect = act([&] { peers.emplace_back(port_of(listener.socket())); });
  scheduler.new_task(script({connect, act([] {}), act([] {}), connect}));
  scheduler.run();
  REQUIRE(clients.size() == 2);
  for (const auto& client : clients) {
    REQUIRE_FALSE(client.error);
    REQUIRE(client.value.number() >= 0);
  }
}

TEST_CASE("accept without a free descriptor gives an error, and does not try for ever",
          "[step08]") {
  const CoSocket listener(listen_on(0).value);
  const Peer peer(port_of(listener.socket()));
  std::vector<Outcome<Socket>> clients;
  Scheduler scheduler;
  scheduler.new_task(calling<Socket>(listener.accept(), clients));
  {
    const NoFreeDescriptor none;
    scheduler.run();
  }
  REQUIRE(clients.at(0).error == std::errc::too_many_files_open);
}

TEST_CASE("finish lets the peer have all, says that it was all, and closes", "[step08]") {
  Pair pair;
  std::vector<Written> results;
  Scheduler scheduler;
  pair.here.socket().write("all");
  scheduler.new_task(calling<Nothing>(pair.here.finish(), results));
  scheduler.new_task(script({act([&] {
                               REQUIRE(pair.there.read(9).value == "all");
                               REQUIRE_FALSE(pair.there.read(9).error);
                             }),
                             act([&] { pair.there.close(); })}));
  scheduler.run();
  REQUIRE(results.size() == 1);
  REQUIRE_FALSE(results[0].error);
  REQUIRE(pair.here.socket().number() == -1);
}

TEST_CASE("finish takes what still comes, but no more than a megabyte", "[step08]") {
  Pair pair;
  std::vector<Written> results;
  Scheduler scheduler;
  scheduler.new_task(calling<Nothing>(pair.here.finish(), results));
  // It comes right after finish() has read what came before: there is always something to read.
  const auto send = [&](std::size_t size) -> Script::Step {
    return [&pair, size](const Value&) -> std::optional<Yielded> {
      REQUIRE(pair.here.socket().number() >= 0);
      REQUIRE(pair.there.write(std::string(size, 'x')).value == size);
      return wait_for_write(pair.there);
    };
  };
  std::vector<Script::Step> sending(27, send(37037));  // a megabyte, but for a byte
  sending.push_back(send(1));
  sending.push_back(act([&] { REQUIRE(pair.here.socket().number() == -1); }));
  scheduler.new_task(script(sending));
  scheduler.run();
  REQUIRE(results.size() == 1);
}

TEST_CASE("finish waits for a silent peer, but not for ever", "[step08]") {
  Pair pair, other;
  std::vector<Written> results;
  Scheduler scheduler;
  const auto soon = Clock::now() + std::chrono::milliseconds(20);
  scheduler.new_task(script({[&](const Value&) -> std::optional<Yielded> {
                               return wait_for_read(other.here.socket(), soon);
                             },
                             act([&] { REQUIRE(results.empty()); })}));
  scheduler.new_task(calling<Nothing>(pair.here.finish(), results));
  scheduler.run();
  REQUIRE(results.size() == 1);
  REQUIRE_FALSE(results[0].error);
  REQUIRE(pair.here.socket().number() == -1);
}

TEST_CASE("killing a task in a call closes the socket it waits for", "[step08]") {
  Pair pair;
  const int number = pair.here.socket().number();
  std::vector<Data> results;
  Scheduler scheduler;
  scheduler.new_task(calling<std::string>(std::exchange(pair.here, CoSocket()).read(10), results));
  scheduler.new_task(script({act([] {}), [](Value) { return Yielded(kill_task(1)); },
                             act([&] { REQUIRE(::fcntl(number, F_GETFD) < 0); })}));
  scheduler.run();
  REQUIRE(results.empty());
}

TEST_CASE("readline gives line by line, and what is left at the end", "[step08]") {
  REQUIRE(lines_of("") == Lines{""});
  REQUIRE(lines_of("one\n") == Lines{"one\n", ""});
  REQUIRE(lines_of("one\ntwo\nthree\n") == Lines{"one\n", "two\n", "three\n", ""});
  REQUIRE(lines_of("\n\n") == Lines{"\n", "\n", ""});
  REQUIRE(lines_of("no newline") == Lines{"no newline", ""});
  REQUIRE(lines_of("one\npart") == Lines{"one\n", "part", ""});
}
