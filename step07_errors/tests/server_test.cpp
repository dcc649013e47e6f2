#include "server.hpp"

#include <optional>
#include <vector>

#include "any_catch2.hpp"
#include "listen.hpp"
#include "peer.hpp"
#include "process.hpp"

namespace {

int created, created_before_first_turn;

/// Counts the clients that the server has accepted before the first of them has a turn, and kills
/// the server.
class Counted final : public Coroutine {
 public:
  explicit Counted(Socket) { ++created; }

 private:
  std::optional<Yielded> resume(Value) override {
    if (created_before_first_turn > 0) return std::nullopt;
    created_before_first_turn = created;
    return kill_task(1);
  }
};

}  // namespace

TEST_CASE("a server accepts all clients that wait in one turn", "[step07]") {
  created = created_before_first_turn = 0;
  const Socket listener = listen_on(0);
  std::vector<Peer> clients;
  for (int i = 0; i < 10; ++i) clients.emplace_back(port_of(listener));
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Server<Counted>>(listener));
  scheduler.run();
  REQUIRE(created_before_first_turn == 10);
}
