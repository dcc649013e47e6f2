#include "server.hpp"

#include <vector>

#include "any_catch2.hpp"
#include "peer.hpp"

namespace {

/// For each client, whether the server still listened when the client had its first turn.
std::vector<bool> listened;

Coroutine<> note_listener(Server* server, Socket) {
  listened.push_back(server->listener.number() >= 0);
  co_return;
}

Coroutine<> take_turns() {
  while (true) {
    co_yield nothing;
  }
}

}  // namespace

TEST_CASE("a server closes its listener in the turn that empties the backlog", "[step08]") {
  Server server{listen_on(0).value, {}};
  const Peer one(port_of(server.listener)), two(port_of(server.listener));
  Scheduler scheduler;
  const TaskId acceptor = scheduler.new_task(take_turns());
  scheduler.new_task(stopping(&server, note_listener, acceptor));
  StopRequests::request();
  scheduler.run();
  REQUIRE(listened == std::vector<bool>{false, false});
  REQUIRE(scheduler.living_tasks().empty());
}
