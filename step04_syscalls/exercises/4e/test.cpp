#include <any_catch2.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "process.hpp"

namespace {

using Ids = std::vector<TaskId>;

/// Yields for ever.
class Endless final : public Coroutine {
  std::optional<Yielded> resume(Value) override { return Nothing{}; }
};

/// Starts one child after the other, then ends or yields for ever.
class Parent final : public Coroutine {
 public:
  Parent(std::vector<std::shared_ptr<Coroutine>> children, bool ends)
      : children_(std::move(children)), ends_(ends) {}

 private:
  std::vector<std::shared_ptr<Coroutine>> children_;
  bool ends_;
  std::size_t next_ = 0;

  std::optional<Yielded> resume(Value) override {
    if (next_ < children_.size()) return new_task(std::move(children_[next_++]));
    if (ends_) return std::nullopt;
    return Nothing{};
  }
};

/// Kills a task in its fifth turn and then ends everything that would run for ever.
class Killer final : public Coroutine {
 public:
  Killer(Ids& alive, TaskId victim) : alive_(alive), victim_(victim) {}

 private:
  Ids& alive_;
  TaskId victim_;
  int turn_ = 0;

  std::optional<Yielded> resume(Value) override {
    if (++turn_ < 5) return Nothing{};
    return SystemCall([this](Task&, Scheduler& scheduler) {
      scheduler.kill_task(victim_);
      Ids& alive = alive_;
      alive = scheduler.living_tasks();
      for (const TaskId id : scheduler.living_tasks()) scheduler.kill_task(id);
    });
  }
};

std::shared_ptr<Coroutine> endless() {
  return std::make_shared<Endless>();
}

std::shared_ptr<Coroutine> parent(std::shared_ptr<Coroutine> a, std::shared_ptr<Coroutine> b,
                                  bool ends) {
  return std::make_shared<Parent>(
      std::vector<std::shared_ptr<Coroutine>>{std::move(a), std::move(b)}, ends);
}

}  // namespace

// Ids: the parent is 1, the killer is 2, the children are 3 and 4. The killer is alive when it
// looks.

TEST_CASE("when a task ends, its children are killed") {
  Ids alive;
  Scheduler scheduler;
  scheduler.new_task(parent(endless(), endless(), true));
  scheduler.new_task(std::make_shared<Killer>(alive, 500));
  scheduler.run();
  REQUIRE(alive == Ids{2});
}

TEST_CASE("when a task is killed, its children are killed") {
  Ids alive;
  Scheduler scheduler;
  scheduler.new_task(parent(endless(), endless(), false));
  scheduler.new_task(std::make_shared<Killer>(alive, 1));
  scheduler.run();
  REQUIRE(alive == Ids{2});
}

TEST_CASE("when a task is killed, its grandchildren are killed") {
  Ids alive;
  Scheduler scheduler;
  scheduler.new_task(parent(parent(endless(), endless(), false), endless(), false));
  scheduler.new_task(std::make_shared<Killer>(alive, 1));
  scheduler.run();
  REQUIRE(alive == Ids{2});
}

TEST_CASE("when a child is killed, its parent and its siblings live on") {
  Ids alive;
  Scheduler scheduler;
  scheduler.new_task(parent(endless(), endless(), false));
  scheduler.new_task(std::make_shared<Killer>(alive, 3));
  scheduler.run();
  REQUIRE(alive == Ids{1, 2, 4});
}

TEST_CASE("a task that no task has started belongs to nobody") {
  Ids alive;
  Scheduler scheduler;
  scheduler.new_task(endless());
  scheduler.new_task(std::make_shared<Killer>(alive, 500));
  scheduler.run();
  REQUIRE(alive == Ids{1, 2});
}
