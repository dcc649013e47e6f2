#include <new>
#include <utility>

#include "any_catch2.hpp"
#include "memory.hpp"
#include "scheduler.hpp"
#include "script.hpp"

namespace {

/// Makes a task, with memory for so many requests. Is it there?
template <typename Body>
bool make_task(Scheduler& scheduler, Body body, long granted) {
  memory::granted = granted;
  bool is_made = true;
  try {
    scheduler.new_task(std::move(body));
  } catch (const std::bad_alloc&) {
    is_made = false;
  }
  memory::granted = -1;
  return is_made;
}

}  // namespace

TEST_CASE("a task that there is no memory for is not there", "[step08]") {
  const int others = GENERATE(range(60, 68));  // one of these fills a block of the queue
  bool is_made = false;
  for (long granted = 0; !is_made; ++granted) {
    Log log;
    Scheduler scheduler;
    for (int i = 0; i < others; ++i) scheduler.new_task(script({}));
    is_made = make_task(scheduler, script({say(log, "first")}), granted);
    REQUIRE(scheduler.new_task(script({say(log, "second")})) == others + (is_made ? 2 : 1));
    scheduler.run();
    REQUIRE(log == (is_made ? Log{"first", "second"} : Log{"second"}));
    REQUIRE(scheduler.living_tasks().empty());
  }
}
