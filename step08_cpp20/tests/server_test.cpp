#include "server.hpp"

#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "listen.hpp"
#include "peer.hpp"
#include "process.hpp"

namespace {

int created, created_before_first_turn;

/// Notes how many clients the server has accepted, and kills the server.
Coroutine<> first_turn() {
  if (created_before_first_turn == 0) {
    created_before_first_turn = created;
    co_await kill_task(1);
  }
}

Coroutine<> counted(Socket) {
  ++created;
  return first_turn();
}

}  // namespace

TEST_CASE("a server accepts all clients that wait in one turn", "[step08]") {
  created = created_before_first_turn = 0;
  const Socket listener = listen_on(0);
  std::vector<Peer> clients;
  for (int i = 0; i < 10; ++i) clients.emplace_back(port_of(listener));
  Scheduler scheduler;
  scheduler.new_task(server(listener, counted));
  scheduler.run();
  REQUIRE(created_before_first_turn == 10);
}
