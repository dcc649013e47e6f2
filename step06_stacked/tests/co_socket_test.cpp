#include "co_socket.hpp"

#include <any>
#include <optional>
#include <string>
#include <vector>

#include "any_catch2.hpp"
#include "calls.hpp"
#include "pair.hpp"
#include "process.hpp"
#include "script.hpp"

TEST_CASE("CoSocket::read waits for data and returns it", "[step06]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", CoSocket(pair.here).read(4)), hear(log, "a got ")}));
  scheduler.new_task(
      script({say(log, "b"), act([&] { pair.there.write("hello"); }), say(log, "b")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "b", "a got hell"});
}

TEST_CASE("CoSocket::read returns an empty string at end of file", "[step06]") {
  Log log;
  const Socket here = connected_pair().here;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "reads", CoSocket(here).read(4)), hear(log, "got ")}));
  scheduler.run();
  REQUIRE(log == Log{"reads", "got "});
}

TEST_CASE("CoSocket::read waits again when another task has read the data", "[step06]") {
  Log log;
  const Pair pair = connected_pair();
  const CoSocket socket(pair.here);
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "1", socket.read(10)), hear(log, "1 got ")}));
  scheduler.new_task(script({say(log, "2", socket.read(10)), hear(log, "2 got ")}));
  scheduler.new_task(script({act([&] { pair.there.write("first"); }), pass(), pass(), pass(),
                             act([&] { pair.there.write("second"); })}));
  scheduler.run();
  REQUIRE(log == Log{"1", "2", "1 got first", "2 got second"});
}

TEST_CASE("CoSocket::write writes all data when the peer reads it in parts and another task writes",
          "[step06]") {
  Log log;
  std::optional<Pair> pair = connected_pair();
  const CoSocket peer(pair->there);
  std::string numbers, received;
  while (numbers.size() < 3000000) numbers += std::to_string(numbers.size()) + ' ';
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "1 writes", CoSocket(pair->here).write(numbers)), hear(log, "1 got ")}));
  scheduler.new_task(  // it finds the socket full, because task 1 is woken before it
      script({say(log, "2 writes", CoSocket(pair->here).write("the end")), hear(log, "2 got ")}));
  pair.reset();  // the two tasks own the other end
  const Script::Step read_part = [&](const Value& sent) -> std::optional<Yielded> {
    if (const auto* part = std::any_cast<std::string>(&sent)) {
      if (part->empty()) return std::nullopt;
      received += *part;
    }
    return peer.read(10000);
  };
  scheduler.new_task(script(std::vector<Script::Step>(10000, read_part)));
  scheduler.run();
  REQUIRE(log == Log{"1 writes", "2 writes", "1 got nothing", "2 got nothing"});
  REQUIRE((received == numbers + "the end"));  // the parentheses keep 3 MB off the screen
}

TEST_CASE("CoSocket::write of no data returns in the same turn", "[step06]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", CoSocket(pair.here).write("")), hear(log, "a got ")}));
  scheduler.new_task(script({say(log, "b")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "a got nothing", "b"});
}

TEST_CASE("kill_task closes the socket of a task that waits in a call", "[step06]") {
  Log log;
  std::optional<Pair> pair = connected_pair();
  const CoSocket peer(pair->there);
  Scheduler scheduler;
  scheduler.new_task(script(
      {[socket = CoSocket(pair->here)](Value) { return socket.read(10); }, say(log, "never")}));
  pair.reset();
  scheduler.new_task(script({pass(), say(log, "kills", kill_task(1)),
                             say(log, "reads", peer.read(10)), hear(log, "end of stream: ")}));
  scheduler.run();
  REQUIRE(log == Log{"kills", "reads", "end of stream: "});
}
