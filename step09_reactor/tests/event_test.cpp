#include <optional>
#include <vector>

#include "probe.hpp"

using namespace coop;

namespace {}  // namespace

TEST_CASE_METHOD(World, "a manual event wakes its tasks in the order in which they came",
                 "[step09]") {
  ManualEvent event;
  for (const char* name : {"1", "2", "3"}) scheduler.spawn(report(&log, name, until(&event)));
  scheduler.spawn(set(&event));
  scheduler.run();
  REQUIRE(log == Log{"1: done", "2: done", "3: done"});
  REQUIRE(event.is_ready());
  event.reset();
  REQUIRE_FALSE(event.is_ready());
}

TEST_CASE_METHOD(World, "an event that fails throws only into the tasks that wait now",
                 "[step09]") {
  ManualEvent event;
  scheduler.spawn(report(&log, "a", until(&event)));
  scheduler.spawn(report(&log, "b", until(&event)));
  const auto fail_then_set = [](Log* out, ManualEvent* e) -> Coroutine<> {
    e->fail(failure("oh"));
    if (e->is_ready()) out->push_back("it is set");
    spawn(report(out, "late", until(e)));
    co_await yield();
    co_await yield();
    out->push_back("set");
    e->set();
  };
  scheduler.spawn(fail_then_set(&log, &event));
  scheduler.run();
  REQUIRE(log == Log{"a: oh", "b: oh", "set", "late: done"});
}

TEST_CASE_METHOD(World, "leaving an event takes the same time for any number of tasks",
                 "[step09]") {
  constexpr int many = 50000;
  ManualEvent event;
  std::vector<Handle<void>> tasks;
  for (int i = 0; i < many; ++i) tasks.push_back(scheduler.spawn(until(&event)));
  const auto cancel_all = [](std::vector<Handle<void>>* all) -> Coroutine<> {
    for (std::size_t i = all->size(); i > 0; --i) (*all)[i - 1]->cancel();
    co_return;
  };
  scheduler.run(cancel_all(&tasks));
  REQUIRE_FALSE(event.is_awaited());
}
