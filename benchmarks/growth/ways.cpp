#include "ways.hpp"

#include <chrono>
#include <vector>

#include "coop/channel.hpp"
#include "coop/mutex.hpp"
#include "coop/scope.hpp"
#include "coop/timer_reactor.hpp"

using namespace coop;

namespace {

struct Things {
  ManualEvent event;
  Channel<int> channel{1};
  Mutex mutex;
};

Coroutine<> until(Event* event) {
  co_await *event;
}

Coroutine<> task(std::string_view wait, Things* things) {
  if (wait == "event") co_await things->event;
  if (wait == "timer") co_await sleep(std::chrono::hours(24));
  if (wait == "forever") co_await sleep(Clock::duration::max());  // all at the same moment
  if (wait == "channel") co_await things->channel.receive();
  if (wait == "mutex") co_await with_lock(&things->mutex, until(&things->event));
}

/// Each task waits for the one that it has spawned into a scope of its own. The last one ends all.
Coroutine<> nested(std::int64_t n) {
  Scope scope;
  if (n > 1) scope.spawn(nested(n - 1));
  if (n == 1) Scheduler::current().shutdown();
  co_await scope.join();
}

Coroutine<> all(std::string_view wait, std::string_view end, std::int64_t n) {
  Things things;
  Scope scope;
  std::vector<Handle<void>> tasks;
  for (std::int64_t i = 0; i < n; ++i) tasks.push_back(scope.spawn(task(wait, &things)));
  co_await yield();  // until each of them waits
  if (end == "set") things.event.set();
  if (end == "destroy") co_return;  // which the scope does
  if (end == "shutdown") Scheduler::current().shutdown();
  if (end == "scope") scope.cancel();
  if (end == "each") {
    for (const Handle<void>& each : tasks) each->cancel();
  }
  if (end == "backwards") {
    for (auto each = tasks.rbegin(); each != tasks.rend(); ++each) (*each)->cancel();
  }
  co_await scope.join();
}

}  // namespace

void run_tasks(std::string_view wait, std::string_view end, std::int64_t n) {
  detail::empty_pool();
  TimerReactor reactor;
  Scheduler scheduler(reactor);
  try {
    scheduler.run(wait == "nested" ? nested(n) : all(wait, end, n));
  } catch (const Cancelled&) {  // by the shutdown
  }
}
