#include <any_catch2.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "process.hpp"

namespace {

using Ids = std::vector<TaskId>;
using Coroutines = std::vector<std::shared_ptr<Coroutine>>;

/// A system call that never schedules its task.
SystemCall suspend_forever() {
  return [](TaskId, Scheduler&) {};
}

/// Starts its children one after the other. Then finishes, or is suspended forever.
class Parent final : public Coroutine {
 public:
  Parent(Coroutines children, bool finishes)
      : children_(std::move(children)), finishes_(finishes) {}

 private:
  Coroutines children_;
  bool finishes_;
  std::size_t next_ = 0;

  std::optional<Yielded> resume(Value) override {
    if (next_ < children_.size()) return new_task(children_[next_++]);
    if (finishes_) return std::nullopt;
    return suspend_forever();
  }
};

std::shared_ptr<Coroutine> suspended_parent(Coroutines children) {
  return std::make_shared<Parent>(std::move(children), false);
}

std::shared_ptr<Coroutine> finishing_parent(Coroutines children) {
  return std::make_shared<Parent>(std::move(children), true);
}

std::shared_ptr<Coroutine> suspended_task() {
  return suspended_parent({});
}

/// Waits for a task, then finishes.
class Waiting final : public Coroutine {
 public:
  explicit Waiting(TaskId id) : id_(id) {}

 private:
  TaskId id_;
  bool waited_ = false;

  std::optional<Yielded> resume(Value) override {
    if (std::exchange(waited_, true)) return std::nullopt;
    return wait_task(id_);
  }
};

/// The ids of all tasks that exist, up to `last`.
Ids existing(Scheduler& scheduler, TaskId last = 10) {
  Ids ids;
  for (TaskId id = 1; id <= last; ++id) {
    if (scheduler.find(id)) ids.push_back(id);
  }
  return ids;
}

}  // namespace

// In most tests, the parent has the id 1, and its children have the ids from 2 on.

TEST_CASE("children are killed when their parent finishes") {
  Scheduler scheduler;
  scheduler.new_task(finishing_parent({suspended_task(), suspended_task()}));
  scheduler.run();
  REQUIRE(existing(scheduler) == Ids{});
}

TEST_CASE("children are killed when their parent is killed") {
  Scheduler scheduler;
  scheduler.new_task(suspended_parent({suspended_task(), suspended_task()}));
  scheduler.run();
  REQUIRE(existing(scheduler) == Ids{1, 2, 3});
  scheduler.kill_task(1);
  REQUIRE(existing(scheduler) == Ids{});
}

TEST_CASE("grandchildren are killed as well") {
  Scheduler scheduler;
  scheduler.new_task(suspended_parent({suspended_parent({suspended_task()}), suspended_task()}));
  scheduler.run();
  REQUIRE(existing(scheduler) == Ids{1, 2, 3, 4});
  scheduler.kill_task(1);
  REQUIRE(existing(scheduler) == Ids{});
}

TEST_CASE("the parent and the other children still exist when a child is killed") {
  Scheduler scheduler;
  scheduler.new_task(suspended_parent({suspended_task(), suspended_task(), suspended_task()}));
  scheduler.run();
  scheduler.kill_task(3);
  REQUIRE(existing(scheduler) == Ids{1, 2, 4});
}

TEST_CASE("tasks that were not started by a task still exist when another task finishes") {
  Scheduler scheduler;
  scheduler.new_task(suspended_task());
  scheduler.new_task(finishing_parent({}));
  scheduler.run();
  REQUIRE(existing(scheduler) == Ids{1});
}

TEST_CASE("a task that waits for a child is woken when the child is killed with its parent") {
  Scheduler scheduler;
  scheduler.new_task(finishing_parent({suspended_task()}));
  scheduler.new_task(std::make_shared<Waiting>(3));
  scheduler.run();
  REQUIRE(existing(scheduler) == Ids{});
}

TEST_CASE("a thousand children are killed with their parent") {
  Coroutines children;
  for (int i = 0; i < 1000; ++i) children.push_back(suspended_task());
  Scheduler scheduler;
  scheduler.new_task(suspended_parent(std::move(children)));
  scheduler.run();
  REQUIRE(existing(scheduler, 1001).size() == 1001);
  scheduler.kill_task(1);
  REQUIRE(existing(scheduler, 1001).empty());
}

TEST_CASE("the children of two parents are killed only with their own parent") {
  Scheduler scheduler;
  scheduler.new_task(suspended_parent({suspended_task(), suspended_task()}));
  scheduler.new_task(suspended_parent({suspended_task(), suspended_task()}));
  scheduler.run();
  REQUIRE(existing(scheduler) == Ids{1, 2, 3, 4, 5, 6});
  scheduler.kill_task(2);
  REQUIRE(existing(scheduler) == Ids{1, 3, 5});
  scheduler.kill_task(1);
  REQUIRE(existing(scheduler) == Ids{});
}

TEST_CASE("a task is not killed with a parent of the same id in another scheduler") {
  Scheduler first;
  first.new_task(suspended_parent({suspended_task(), suspended_task()}));
  first.run();
  Scheduler second;
  for (int i = 0; i < 3; ++i) second.new_task(suspended_task());
  second.run();
  second.kill_task(1);
  REQUIRE(existing(second) == Ids{2, 3});
  first.kill_task(1);
  REQUIRE(existing(first) == Ids{});
}
