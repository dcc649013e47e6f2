#include "line_by_byte.hpp"

#include <sys/socket.h>

#include <any_catch2.hpp>
#include <string>
#include <vector>

#include "calling.hpp"
#include "line_reader.hpp"
#include "script.hpp"

namespace {

const std::string line = std::string(63, 'x') + "\n";

/// How often a reader waits for the line.
template <typename Read>
int waits_of(Read read) {
  int ends[2];
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) == 0);
  const Socket here(ends[0]), there(ends[1]);
  there.write(line);
  std::vector<Outcome<std::string>> results;
  int rounds = 0;
  const Script::Step count = [&](const Value&) -> std::optional<Yielded> {
    rounds += results.empty();
    return Nothing{};
  };
  Scheduler scheduler;
  scheduler.new_task(calling<std::string>(read(CoSocket(here)), results));
  scheduler.new_task(script(std::vector<Script::Step>(100, count)));
  scheduler.run();
  REQUIRE(results.at(0).value == line);
  return rounds - 1;  // one for each wait, and one to begin with
}

}  // namespace

TEST_CASE("a line of 64 bytes: one wait, or 64", "[step06]") {
  REQUIRE(waits_of([](const CoSocket& s) { return LineReader(s).readline(); }) == 1);
  REQUIRE(waits_of([](const CoSocket& s) {
            return Call{std::make_shared<ReadingLineByByte>(s)};
          }) == 64);
}
