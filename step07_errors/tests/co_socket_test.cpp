#include "co_socket.hpp"

#include <any>
#include <optional>
#include <string>
#include <vector>

#include "any_catch2.hpp"
#include "calls.hpp"
#include "pair.hpp"
#include "script.hpp"

TEST_CASE("CoSocket::write writes all data when the peer reads it in parts and another task writes",
          "[step07]") {
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
