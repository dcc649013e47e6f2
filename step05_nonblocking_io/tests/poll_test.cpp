// How long poll(2) may wait. The tests replace it, because nothing else sees its timeout.

#include <dlfcn.h>
#include <poll.h>

#include <optional>
#include <vector>

#include "any_catch2.hpp"
#include "pair.hpp"
#include "script.hpp"
#include "wait.hpp"

namespace {

std::vector<int> timeouts;  // of all calls of poll(2)

}  // namespace

/// Is called instead of the function of the C library.
extern "C" int poll(pollfd* sockets, nfds_t count, int milliseconds) {
  timeouts.push_back(milliseconds);
  static const auto real_poll = reinterpret_cast<decltype(&::poll)>(::dlsym(RTLD_NEXT, "poll"));
  return real_poll(sockets, count, milliseconds);
}

TEST_CASE("poll has the timeout 0 while a task is ready and no timeout when all tasks wait",
          "[step05]") {
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(script({[&](Value) { return wait_for_read(pair.here); }}));
  scheduler.new_task(script({pass(), [&](Value) -> std::optional<Yielded> {
                               pair.there.write("x");
                               return std::nullopt;
                             }}));
  timeouts.clear();
  scheduler.run();
  REQUIRE(timeouts == std::vector<int>{0, -1});
}
