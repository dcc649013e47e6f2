#include "co_socket.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "listen.hpp"
#include "pair.hpp"
#include "peer.hpp"
#include "readline.hpp"
#include "script.hpp"

namespace {

/// Reads once, and writes the data or the error to the log.
Coroutine<> reading(Log* log, std::string name, CoSocket socket) {
  log->push_back(name + " reads");
  try {
    const std::string data = co_await socket.read(4);
    log->push_back(name + " got " + data);
  } catch (const std::system_error& error) {
    log->push_back(name + ": " + error.what());
  }
}

/// Writes once, and writes the result or the error to the log.
Coroutine<> writing(Log* log, CoSocket socket, std::string data) {
  log->push_back("writes");
  try {
    co_await socket.write(std::move(data));
    log->push_back("has written");
  } catch (const std::system_error& error) {
    log->push_back(error.what());
  }
}

/// Reads until end of file.
Coroutine<> reading_all(CoSocket socket, std::string* received) {
  std::string part;
  do {
    part = co_await socket.read(10000);
    *received += part;
  } while (!part.empty());
}

/// Reads lines until end of file.
Coroutine<> reading_lines(Log* log, CoSocket socket) {
  std::string line;
  do {
    line = co_await readline(socket);
    log->push_back(line);
  } while (!line.empty());
}

/// Returns the results of readline() for a stream that arrives in several parts.
Log lines_of(const std::vector<std::string>& parts) {
  Log log;
  std::optional<Pair> pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(reading_lines(&log, CoSocket(pair->here)));
  int turns = 0;
  for (const std::string& part : parts)
    scheduler.new_task(act(turns++, [&pair, part] { pair->there.write(part); }));
  scheduler.new_task(act(turns, [&pair] { pair.reset(); }));
  scheduler.run();
  return log;
}

/// Reads a line. Writes its size or the error to the log.
Coroutine<> measure_line(Log* log, CoSocket socket) {
  try {
    const std::string line = co_await readline(socket);
    log->push_back(std::to_string(line.size()));
  } catch (const std::system_error& error) {
    log->push_back(error.what());
  }
}

}  // namespace

TEST_CASE("CoSocket::read waits for data and returns at most as many bytes as requested",
          "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(reading(&log, "a", CoSocket(pair.here)));
  scheduler.new_task(act(1, [&] { pair.there.write("hello"); }));
  scheduler.run();
  REQUIRE(log == Log{"a reads", "a got hell"});
}

TEST_CASE("CoSocket::read returns an empty string at end of file", "[step08]") {
  Log log;
  const Socket here = connected_pair().here;
  run(reading(&log, "a", CoSocket(here)));
  REQUIRE(log == Log{"a reads", "a got "});
}

TEST_CASE("CoSocket::read waits again when another task has read the data", "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(reading(&log, "1", CoSocket(pair.here)));
  scheduler.new_task(reading(&log, "2", CoSocket(pair.here)));
  scheduler.new_task(act(0, [&] { pair.there.write("one"); }));
  scheduler.new_task(act(4, [&] { pair.there.write("two"); }));
  scheduler.run();
  REQUIRE(log == Log{"1 reads", "2 reads", "1 got one", "2 got two"});
}

TEST_CASE("CoSocket::read throws into its caller when the peer has reset the connection",
          "[step08]") {
  Log log;
  const Socket listener = listen_on(0);
  Peer peer(port_of(listener));
  const std::optional<Socket> client = listener.accept();
  peer.reset();
  run(reading(&log, "a", CoSocket(*client)));
  REQUIRE(log == Log{"a reads", "a: read: Connection reset by peer"});
}

TEST_CASE("CoSocket::write writes all data when the peer reads it in parts and another task writes",
          "[step08]") {
  Log log;
  std::optional<Pair> pair = connected_pair();
  std::string numbers, received;
  while (numbers.size() < 3000000) numbers += std::to_string(numbers.size()) + ' ';
  Scheduler scheduler;
  scheduler.new_task(writing(&log, CoSocket(pair->here), numbers));
  scheduler.new_task(writing(&log, CoSocket(pair->here), "the end"));  // finds the socket full
  scheduler.new_task(reading_all(CoSocket(pair->there), &received));
  pair.reset();  // the two tasks own the other end
  scheduler.run();
  REQUIRE(log == Log{"writes", "writes", "has written", "has written"});
  REQUIRE((received == numbers + "the end"));  // the parentheses keep 3 MB off the screen
}

TEST_CASE("CoSocket::write of no data returns in the same turn", "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(writing(&log, CoSocket(pair.here), ""));
  scheduler.new_task(say(&log, {"b"}));
  scheduler.run();
  REQUIRE(log == Log{"writes", "has written", "b"});
}

TEST_CASE("CoSocket::write throws into its caller when the peer has closed the connection",
          "[step08]") {
  Log log;
  const Socket here = connected_pair().here;
  run(writing(&log, CoSocket(here), "x"));
  REQUIRE(log == Log{"writes", "write: Broken pipe"});
}

TEST_CASE("the deadline of a CoSocket ends its reads and writes", "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  fill(pair.here);
  CoSocket socket(pair.here);
  socket.set_deadline(Clock::now() - std::chrono::hours(1));
  run(reading(&log, "a", socket));
  run(writing(&log, socket, "x"));
  REQUIRE(log == Log{"a reads", "a: Connection timed out", "writes", "Connection timed out"});
}

TEST_CASE("kill_task closes the socket of a task that waits in a call", "[step08]") {
  Log log;
  std::optional<Pair> pair = connected_pair();
  const Socket peer = pair->there;
  Scheduler scheduler;
  scheduler.new_task(reading(&log, "a", CoSocket(pair->here)));
  pair.reset();
  scheduler.new_task(kill(&log, 1, 1));
  scheduler.run();
  REQUIRE(log == Log{"a reads", "kills", "killer continues"});
  REQUIRE(peer.read(10) == "");
}

TEST_CASE("an operation of a CoSocket can outlive the CoSocket", "[step08]") {
  const Pair pair = connected_pair();
  run(CoSocket(pair.here).write("hello"));
  REQUIRE(pair.there.read(10) == "hello");
}

TEST_CASE("readline returns one line per call when several lines arrive together", "[step08]") {
  REQUIRE(lines_of({"one\n\ntwo\n"}) == Log{"one\n", "\n", "two\n", ""});
}

TEST_CASE("readline returns a whole line when the line arrives in several parts", "[step08]") {
  REQUIRE(lines_of({"o", "n", "e\nt", "wo", "\n"}) == Log{"one\n", "two\n", ""});
}

TEST_CASE("readline returns the rest of the stream when it ends without a newline", "[step08]") {
  REQUIRE(lines_of({"one\nno newline"}) == Log{"one\n", "no newline", ""});
}

TEST_CASE("readline accepts a line of one million bytes and no longer line", "[step08]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(measure_line(&log, CoSocket(pair.here)));
  SECTION("a line of one million bytes") {
    const std::string line = std::string(longest_line - 1, 'x') + '\n';
    scheduler.new_task(CoSocket(pair.there).write(line));
    scheduler.run();
    REQUIRE(log == Log{"1000000"});
  }
  SECTION("a longer line") {
    scheduler.new_task(CoSocket(pair.there).write(std::string(longest_line + 1, 'x')));
    scheduler.run();
    REQUIRE(log == Log{"Message too long"});
  }
}
