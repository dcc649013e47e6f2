#include <sys/socket.h>

#include <any>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "any_catch2.hpp"
#include "line_reader.hpp"

namespace {

/// Reads one line and stores it.
class ReadOnce final : public Coroutine {
 public:
  ReadOnce(LineReader& reader, std::optional<std::string>& line) : reader_(reader), line_(line) {}

 private:
  enum class State { start, got_line };
  State state_ = State::start;
  LineReader& reader_;
  std::optional<std::string>& line_;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      state_ = State::got_line;
      return reader_.next();
    case State::got_line:
      line_ = std::any_cast<std::string>(sent);
    }
    return std::nullopt;
  }
};

/// A reader and the other end of its connection.
class Connection {
 public:
  int waits = 0;  ///< how often the reader has waited for data

  void send(const std::string& data) { REQUIRE(far_->write(data) == data.size()); }
  void end() { far_.reset(); }

  /// Reads a line. Returns "(waiting)" if the reader still waits after 100 turns in which no more
  /// data has arrived.
  std::string line() {
    start_reading();
    return finish_reading();
  }

  /// Runs the reader until it waits for the first time.
  void start_reading() {
    line_.reset();
    task_.emplace(std::make_shared<ReadOnce>(*reader_, line_));
    run_turn();
  }

  std::string finish_reading() {
    for (int turns = 0; turns < 100 && !line_; ++turns) run_turn();
    task_.reset();
    return line_.value_or("(waiting)");
  }

 private:
  void run_turn() {
    if (!line_ && task_->run()) ++waits;
  }

  static std::pair<Socket, Socket> make_sockets() {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
    return {Socket(ends[0]), Socket(ends[1])};
  }

  std::pair<Socket, Socket> sockets_ = make_sockets();
  std::optional<Socket> far_ = std::move(sockets_.first);
  std::optional<LineReader> reader_ = LineReader(CoSocket(sockets_.second));
  std::optional<std::string> line_;
  std::optional<Task> task_;
};

}  // namespace

TEST_CASE("lines that have arrived together take one wait") {
  Connection connection;
  connection.send("one\ntwo\nthree\n");
  CHECK(connection.line() == "one\n");
  CHECK(connection.line() == "two\n");
  CHECK(connection.line() == "three\n");
  REQUIRE(connection.waits == 1);
}

TEST_CASE("an empty line is a line end") {
  Connection connection;
  connection.send("\n\n");
  REQUIRE(connection.line() == "\n");
  REQUIRE(connection.line() == "\n");
}

TEST_CASE("a line that arrives in two parts is returned whole") {
  Connection connection;
  connection.start_reading();
  connection.send("first, ");
  connection.send("second\nnext\n");
  REQUIRE(connection.finish_reading() == "first, second\n");
  REQUIRE(connection.line() == "next\n");
}

TEST_CASE("the reader waits for the second part of a line") {
  Connection connection;
  connection.send("complete\nincom");
  REQUIRE(connection.line() == "complete\n");
  connection.start_reading();
  REQUIRE(connection.waits == 2);
  connection.send("plete\n");
  REQUIRE(connection.finish_reading() == "incomplete\n");
}

TEST_CASE("a line that is longer than one read is returned whole") {
  Connection connection;
  const std::string line = std::string(20000, 'x') + '\n';
  connection.send(line + "next\n");
  REQUIRE((connection.line() == line));
  REQUIRE(connection.line() == "next\n");
}

TEST_CASE("at end of file, the reader returns the rest and then empty strings") {
  Connection connection;
  connection.send("line\nrest");
  connection.end();
  REQUIRE(connection.line() == "line\n");
  REQUIRE(connection.line() == "rest");
  REQUIRE(connection.line() == "");
  REQUIRE(connection.line() == "");
}

TEST_CASE("each reader has a buffer of its own") {
  Connection a, b;
  a.send("a1\na2\n");
  b.send("b1\nb2\n");
  REQUIRE(a.line() == "a1\n");
  REQUIRE(b.line() == "b1\n");
  REQUIRE(a.line() == "a2\n");
  REQUIRE(b.line() == "b2\n");
}
