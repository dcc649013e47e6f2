#include "server.hpp"

#include <any_catch2.hpp>

#include "script.hpp"

namespace {

/// Nobody connects.
class Client final : public Coroutine {
 public:
  Client(Server&, Socket) {}

 private:
  std::optional<Yielded> resume(Value) override { return std::nullopt; }
};

/// A task that nothing wakes any more.
std::shared_ptr<Coroutine> stuck() {
  return script({[](const Value&) -> std::optional<Yielded> {
    return system_call([](Task&, Scheduler&) {});
  }});
}

}  // namespace

TEST_CASE("an idle client that has ended already does not keep the server from ending the others",
          "[step07]") {
  Server server{listen_on(0).value, {}, -1};
  Scheduler scheduler;
  const TaskId acceptor = scheduler.new_task(stuck());
  const TaskId ended = scheduler.new_task(script({}));
  const TaskId idle = scheduler.new_task(stuck());
  server.idle = {ended, idle};
  scheduler.new_task(std::make_shared<Stopping<Client>>(server, acceptor));
  StopRequests::request();
  scheduler.run();
  REQUIRE(scheduler.living_tasks().empty());
}
