// How long the servers wait for their clients, with a clock that the tests move.

#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <chrono>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "fake_time.hpp"
#include "listen.hpp"
#include "pair.hpp"
#include "readline.hpp"
#include "script.hpp"
#include "server.hpp"

// The programs themselves. Each of them has a main(), and so its own namespace, where a main()
// needs a return.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wreturn-type"
namespace echo {
#include "echo_server.cpp"
}
namespace web {
#include "web_server.cpp"
}
#pragma GCC diagnostic pop

namespace {

using std::chrono::seconds;

/// A text that a client sends at this second. Then the process is stopped for some seconds, as by
/// Ctrl-Z.
struct Send {
  int second;
  std::string text;
  int stopped = 0;
};

/// Sends these texts.
Coroutine<> sender(Socket socket, std::vector<Send> texts) {
  const Clock::time_point start = Clock::now();
  for (const Send& send : texts) {
    co_await sleep_until(start + seconds(send.second));
    socket.write(send.text);
    FakeTime::now += seconds(send.stopped);
    co_yield nothing;
  }
}

/// Waits for the end of a task, and stores the time.
Coroutine<> note_end(TaskId id, Clock::time_point* end) {
  co_await wait_task(id);
  *end = Clock::now();
}

/// Runs a handler with a client that sends these texts. If `sigterm` isn't 0, the server is told to
/// end at this second. Returns what the client receives, and when its connection is closed.
std::string conversation(ClientHandler handler, std::vector<Send> texts, int sigterm = 0) {
  const FakeTime time;
  const Clock::time_point start = Clock::now();
  std::ostringstream output;
  std::streambuf* const before = std::cout.rdbuf(output.rdbuf());
  Scheduler scheduler;
  const Pair signals = connected_pair();
  if (sigterm > 0) {
    Socket listener = listen_on(0);
    const TaskId id = scheduler.new_task(server(listener, handler));
    scheduler.new_task(shutdown(signals.here, id, std::move(listener), handler));
    scheduler.new_task(sender(signals.there, {{sigterm, "SIGTERM"}}));
  }
  Pair client = connected_pair();
  Clock::time_point end;
  const TaskId id = scheduler.new_task(handler(std::move(client.here)));
  scheduler.new_task(note_end(id, &end));
  scheduler.new_task(sender(client.there, std::move(texts)));
  scheduler.run();
  std::cout.rdbuf(before);
  const auto second = std::chrono::duration_cast<seconds>(end - start).count();
  return client.there.read(100000).value_or("") + "closed after " + std::to_string(second) + " s";
}

/// Texts that a client sends without a break, one per second, for half a minute.
std::vector<Send> endless(std::string first) {
  std::vector<Send> texts{{0, std::move(first), 1}};
  while (texts.size() < 30) texts.push_back({0, "more", 1});
  return texts;
}

const std::string get = "GET / HTTP/1.1\r\n\r\n", post = "POST / HTTP/1.1\r\n\r\n";

Coroutine<> waiting(SystemCall<> call) {
  co_await call;
}

/// Runs a task that awaits a system call. Returns the timeouts of the calls of poll(2).
std::vector<int> timeouts_of(SystemCall<> call) {
  FakeTime::timeouts.clear();
  run(waiting(std::move(call)));
  return FakeTime::timeouts;
}

}  // namespace

TEST_CASE("web_server closes the connection of a silent client after ten seconds", "[step08]") {
  REQUIRE(conversation(web::handle_client, {}) == "closed after 10 s");
}

TEST_CASE("web_server gives a client ten seconds for all bytes of its request together",
          "[step08]") {
  REQUIRE(conversation(web::handle_client, {{3, "G"}, {6, "E"}, {9, "T"}, {12, " "}, {15, "/"}}) ==
          "closed after 10 s");
}

TEST_CASE("web_server reads for ten seconds what a client sends after its request", "[step08]") {
  const std::string response = web::response_to(post);
  REQUIRE(conversation(web::handle_client, {{1, post}, {4, "more"}, {8, "more"}, {12, "more"}}) ==
          response + "closed after 10 s");
  REQUIRE(conversation(web::handle_client, endless(post)) == response + "closed after 10 s");
}

TEST_CASE("web_server answers a request whose lines end with a bare newline", "[step08]") {
  const std::string typed = "GET / HTTP/1.1\nHost: localhost\n\n";
  REQUIRE(conversation(web::handle_client, {{1, typed}}) ==
          web::response_to(typed) + "closed after 10 s");
}

TEST_CASE("web_server answers a request that has arrived although its deadline has passed",
          "[step08]") {
  REQUIRE(conversation(web::handle_client, {{1, get, 11}}) ==
          web::response_to(get) + "closed after 12 s");
}

TEST_CASE("echo_server gives a client a minute for each line", "[step08]") {
  REQUIRE(conversation(echo::handle_client, {}) == "closed after 60 s");
  REQUIRE(conversation(echo::handle_client, {{20, "a"}, {40, "b"}, {59, "c"}, {70, "d\n"}}) ==
          "closed after 60 s");
  REQUIRE(conversation(echo::handle_client, {{50, "one\n"}, {100, "two\n"}, {159, "three\n"}}) ==
          "GOT:one\nGOT:two\nGOT:three\nclosed after 219 s");
}

TEST_CASE("both servers leave two seconds to a client after SIGTERM", "[step08]") {
  REQUIRE(conversation(web::handle_client, {}, 5) == "closed after 7 s");
  REQUIRE(conversation(web::handle_client, {{6, get}}, 5) ==
          web::response_to(get) + "closed after 6 s");
  REQUIRE(conversation(web::handle_client, {{8, get}}, 5) == "closed after 7 s");
  REQUIRE(conversation(echo::handle_client, {{1, "one\n"}, {6, "two\n"}}, 5) ==
          "GOT:one\nGOT:two\nclosed after 7 s");
  REQUIRE(conversation(echo::handle_client, endless("one\n"), 5) == "GOT:one\nclosed after 7 s");
}

TEST_CASE("sleep_until returns immediately when its time is the earliest of all", "[step08]") {
  const FakeTime time;
  const Clock::time_point before = Clock::now();
  run([]() -> Coroutine<> { co_await sleep_until(Clock::time_point::min()); }());
  REQUIRE(Clock::now() == before);
}

TEST_CASE("a wait for a deadline polls once when the deadline is 2.5 milliseconds away",
          "[step08]") {
  for (int i = 0; i < 20; ++i) {
    const auto time = Clock::now() + std::chrono::microseconds(2500);
    REQUIRE(timeouts_of(sleep_until(time)).size() == 1);
    REQUIRE(Clock::now() >= time);
  }
}

TEST_CASE("a sleeping task needs no room among the file descriptors of poll", "[step08]") {
  const FakeTime time;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const rlimit low{64, limit.rlim_max};
  Scheduler scheduler;
  const Clock::time_point soon = Clock::now() + seconds(1);
  for (int i = 0; i < 65; ++i) scheduler.new_task(waiting(sleep_until(soon)));
  ::setrlimit(RLIMIT_NOFILE, &low);
  CHECK_NOTHROW(scheduler.run());
  ::setrlimit(RLIMIT_NOFILE, &limit);
  for (TaskId id = 1; id <= 65; ++id) REQUIRE(scheduler.find(id) == nullptr);
}

TEST_CASE("poll has the longest timeout when the deadline is 30 days away", "[step08]") {
  const Pair pair = connected_pair();
  pair.there.write("x");
  const auto deadline = Clock::now() + std::chrono::hours(24 * 30);  // too long for an int
  const std::vector<int> polls = timeouts_of(wait_for_read(pair.here, deadline));
  REQUIRE(polls == std::vector<int>{std::numeric_limits<int>::max()});
}

TEST_CASE("poll has the timeout 0 while a task is ready and no timeout when all tasks wait",
          "[step08]") {
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(waiting(wait_for_read(pair.here)));
  scheduler.new_task(act(1, [&] { pair.there.write("x"); }));
  FakeTime::timeouts.clear();
  scheduler.run();
  REQUIRE(FakeTime::timeouts == std::vector<int>{0, -1});
}
