#include "readline.hpp"

#include <any>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "calls.hpp"
#include "pair.hpp"
#include "script.hpp"

namespace {

/// Reads lines until end of file, and writes them to the log.
class ReadLines final : public Coroutine {
 public:
  ReadLines(Socket socket, Log& log) : socket_(std::move(socket)), log_(log) {}

 private:
  enum class State { start, got_line };
  State state_ = State::start;
  CoSocket socket_;
  Log& log_;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      do {
        state_ = State::got_line;
        return readline(socket_);
      case State::got_line:
        log_.push_back(std::any_cast<std::string>(sent));
      } while (!log_.back().empty());
    }
    return std::nullopt;
  }
};

/// Returns the results of readline() for a stream that arrives in several parts.
Log lines_of(const std::vector<std::string>& parts) {
  Log log;
  std::optional<Pair> pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<ReadLines>(pair->here, log));
  std::vector<Script::Step> steps;
  for (const std::string& part : parts) {
    steps.push_back([&pair, part](Value) {
      pair->there.write(part);
      return Nothing{};
    });
  }
  steps.push_back([&pair](Value) {
    pair.reset();
    return Nothing{};
  });
  scheduler.new_task(script(std::move(steps)));
  scheduler.run();
  return log;
}

}  // namespace

TEST_CASE("readline returns one line per call when several lines arrive together", "[step06]") {
  REQUIRE(lines_of({"one\ntwo\nthree\n"}) == Log{"one\n", "two\n", "three\n", ""});
}

TEST_CASE("readline returns a whole line when the line arrives in several parts", "[step06]") {
  REQUIRE(lines_of({"o", "n", "e\nt", "wo", "\n"}) == Log{"one\n", "two\n", ""});
}

TEST_CASE("readline returns an empty line with its newline", "[step06]") {
  REQUIRE(lines_of({"\n\n"}) == Log{"\n", "\n", ""});
}

TEST_CASE("readline returns the rest of the stream when it ends without a newline", "[step06]") {
  REQUIRE(lines_of({"one\nno newline"}) == Log{"one\n", "no newline", ""});
}

TEST_CASE("readline returns an empty string when the stream is empty", "[step06]") {
  REQUIRE(lines_of({}) == Log{""});
}
