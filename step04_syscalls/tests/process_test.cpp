#include "process.hpp"

#include <any_catch2.hpp>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "script.hpp"

namespace {

using Ids = std::vector<TaskId>;

/// Writes the id of its task down at each turn. Asks for the id first, then yields `count` times.
class Counting final : public Coroutine {
 public:
  Counting(Ids& turns, TaskId expected, int count)
      : turns_(turns), expected_(expected), count_(count) {}

 private:
  enum class At { start, named, yielded } at_ = At::start;
  Ids& turns_;
  TaskId expected_;
  int count_, i_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    turns_.push_back(expected_);
    switch (at_) {
    case At::start:
      at_ = At::named;
      return get_task_id();
    case At::named:
      REQUIRE(std::any_cast<TaskId>(sent) == expected_);
      for (i_ = 0; i_ < count_; ++i_) {
        at_ = At::yielded;
        return Nothing{};
      case At::yielded:;
      }
    }
    return std::nullopt;
  }
};

/// The parent of the article: starts a child that never ends, and kills it in its third turn of
/// six.
class Parent final : public Coroutine {
 public:
  explicit Parent(Ids& turns) : turns_(turns) {}

 private:
  enum class At { start, named, child_started, worked, killed } at_ = At::start;
  Ids& turns_;
  TaskId child_ = 0;
  int i_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    turns_.push_back(1);
    switch (at_) {
    case At::start:
      at_ = At::named;
      return get_task_id();
    case At::named:
      at_ = At::child_started;
      return new_task(std::make_shared<Counting>(turns_, 2, 1000));
    case At::child_started:
      child_ = std::any_cast<TaskId>(sent);
      for (i_ = 1; i_ <= 6; ++i_) {
        at_ = At::worked;
        return Nothing{};
      case At::worked:
        if (i_ == 3) {
          at_ = At::killed;
          return kill_task(child_);
        }
        [[fallthrough]];
      case At::killed:;
      }
    }
    return std::nullopt;
  }
};

/// Cannot be copied: clone() is left as it is.
class Single final : public Coroutine {
 public:
  explicit Single(Log& log) : log_(log) {}

 private:
  Log& log_;
  int turn_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    if (++turn_ == 1) return fork_task();
    log_.push_back(std::any_cast<bool>(sent) ? "true" : "false");
    return std::nullopt;
  }
};

}  // namespace

TEST_CASE("task_ids takes the turns of the original", "[step04]") {
  Ids turns;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Counting>(turns, 1, 10));
  scheduler.new_task(std::make_shared<Counting>(turns, 2, 5));
  scheduler.run();
  REQUIRE(turns == Ids{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1});
}

TEST_CASE("parent_child takes the turns of the original, and nothing is left", "[step04]") {
  Ids turns;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Parent>(turns));
  scheduler.run();
  REQUIRE(turns == Ids{1, 1, 2, 1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1});
  REQUIRE(scheduler.living_tasks().empty());
}

TEST_CASE("new_task gives the id, and the child's first turn comes first", "[step04]") {
  Log log;
  Scheduler scheduler;
  const Yielded child = new_task(script({say(log, "child")}));
  scheduler.new_task(script({say(log, "parent", child), hear(log, "parent got ")}));
  scheduler.run();
  REQUIRE(log == Log{"parent", "child", "parent got 2"});
}

TEST_CASE("a parent's end does not end its child", "[step04]") {
  Log log;
  Scheduler scheduler;
  const Yielded child = new_task(script({say(log, "c1"), say(log, "c2"), say(log, "c3")}));
  scheduler.new_task(script({say(log, "parent", child)}));
  scheduler.run();
  REQUIRE(log == Log{"parent", "c1", "c2", "c3"});
}

TEST_CASE("a child can kill its parent", "[step04]") {
  Log log;
  Scheduler scheduler;
  const Yielded child = new_task(script({say(log, "child", kill_task(1)), hear(log, "killed ")}));
  scheduler.new_task(script({say(log, "parent", child), say(log, "parent again")}));
  scheduler.run();
  REQUIRE(log == Log{"parent", "child", "killed true"});
}

TEST_CASE("kill_task ends a ready task before it returns", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "killer", kill_task(2)), hear(log, "killed ")}));
  scheduler.new_task(script({hold(at_destruction(log, "destroyed")), say(log, "victim")}));
  scheduler.run();
  REQUIRE(log == Log{"killer", "destroyed", "killed true"});
}

TEST_CASE("kill_task ends a task that has had turns", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "v1"), say(log, "v2")}));
  scheduler.new_task(script({say(log, "killer", kill_task(1)), hear(log, "killed ")}));
  scheduler.run();
  REQUIRE(log == Log{"v1", "killer", "killed true"});
}

TEST_CASE("a task that kills itself ends there", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({hold(at_destruction(log, "destroyed")),
                             say(log, "before", kill_task(1)), say(log, "after")}));
  scheduler.new_task(script({say(log, "other 1"), say(log, "other 2")}));
  scheduler.run();
  REQUIRE(log == Log{"other 1", "before", "destroyed", "other 2"});
}

TEST_CASE("kill_task gives false for a finished, a killed and a missing task", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({}));
  scheduler.new_task(
      script({say(log, "", kill_task(1)), hear(log, "finished: ", kill_task(0)),
              hear(log, "0: ", kill_task(-1)), hear(log, "-1: ", kill_task(4)),
              hear(log, "4: ", kill_task(3)), hear(log, "3: ", kill_task(3)), hear(log, "3: ")}));
  scheduler.new_task(script(std::vector<Script::Step>(9, hold(nullptr))));
  scheduler.run();
  REQUIRE(log ==
          Log{"", "finished: false", "0: false", "-1: false", "4: false", "3: true", "3: false"});
}

TEST_CASE("kill_task ends a task that waits for another, which goes on", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "waiter", wait_task(3)), say(log, "waiter woke")}));
  scheduler.new_task(script({say(log, "killer", kill_task(1)), hear(log, "killed ")}));
  scheduler.new_task(script({say(log, "w1"), say(log, "w2"), say(log, "w3")}));
  scheduler.run();
  REQUIRE(log == Log{"waiter", "killer", "w1", "killed true", "w2", "w3"});
  REQUIRE(scheduler.living_tasks().empty());
}

TEST_CASE("the scheduler kills from outside as well", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({hold(at_destruction(log, "destroyed"))}));
  REQUIRE(scheduler.kill_task(1));
  REQUIRE(log == Log{"destroyed"});
  REQUIRE_FALSE(scheduler.kill_task(1));
  scheduler.run();
}

TEST_CASE("a frame that kills another task while it is destroyed does no harm", "[step04]") {
  Log log;
  Scheduler scheduler;
  const auto kill_2 = [&](void*) { log.push_back(scheduler.kill_task(2) ? "killed 2" : "no 2"); };
  scheduler.new_task(script({hold(std::shared_ptr<void>(nullptr, kill_2))}));
  scheduler.new_task(script({hold(at_destruction(log, "2 destroyed"))}));
  REQUIRE(scheduler.kill_task(1));
  REQUIRE(log == Log{"2 destroyed", "killed 2"});
  scheduler.run();
}

TEST_CASE("frames may call the scheduler while it is destroyed, which goes by id", "[step04]") {
  Log log;
  {
    Scheduler scheduler;
    const auto kill_2 = [&](void*) {
      log.push_back("1");
      scheduler.kill_task(2);
      scheduler.new_task(script({hold(at_destruction(log, "late"))}));
      scheduler.send_message("x", 1);
    };
    scheduler.new_task(script({hold(std::shared_ptr<void>(nullptr, kill_2))}), "x");
    scheduler.new_task(script({hold(at_destruction(log, "2"))}));
    scheduler.new_task(script({hold(at_destruction(log, "3"))}));
  }
  REQUIRE(log == Log{"1", "2", "3", "late"});
}

TEST_CASE("a task without a coroutine is an error at once", "[step04]") {
  Scheduler scheduler;
  REQUIRE_THROWS_AS(scheduler.new_task(nullptr), std::invalid_argument);
  REQUIRE_THROWS_AS(Task(1, script({})).exec(nullptr), std::invalid_argument);
  REQUIRE(scheduler.new_task(script({})) == 1);
}

TEST_CASE("a task and a scheduler cannot be copied by a system call that forgets an &",
          "[step04]") {
  STATIC_REQUIRE_FALSE(std::is_copy_constructible<Task>::value);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible<Scheduler>::value);
}

TEST_CASE("wait_task gives true when the task ends, first come, first woken", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_task(3)), hear(log, "a: ")}));
  scheduler.new_task(script({say(log, "b", wait_task(3)), hear(log, "b: ")}));
  scheduler.new_task(script({say(log, "c1"), say(log, "c2")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "c1", "c2", "a: true", "b: true"});
}

TEST_CASE("wait_task wakes when the task is killed or throws", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_task(2)), hear(log, "a: ")}));
  SECTION("killed") {
    scheduler.new_task(script({say(log, "b", kill_task(2))}));
    scheduler.run();
  }
  SECTION("throws") {
    scheduler.new_task(script({say(log, "b"), [](Value) -> std::optional<Yielded> {
                                 throw std::runtime_error("from b");
                               }}));
    REQUIRE_THROWS_WITH(scheduler.run(), "from b");
    scheduler.run();
  }
  REQUIRE(log == Log{"a", "b", "a: true"});
}

TEST_CASE("wait_task does not wait for what is over, never was, or is oneself", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({}));
  scheduler.new_task(script({say(log, "", wait_task(1)), hear(log, "ended: ", wait_task(9)),
                             hear(log, "9: ", wait_task(0)), hear(log, "0: ", wait_task(2)),
                             hear(log, "self: ")}));
  scheduler.run();
  REQUIRE(log == Log{"", "ended: true", "9: false", "0: false", "self: false"});
}

TEST_CASE("two tasks that wait for each other stay, run returns and names them", "[step04]") {
  Log log;
  {
    Scheduler scheduler;
    scheduler.new_task(script({say(log, "a", wait_task(2)), hold(at_destruction(log, "gone"))}));
    scheduler.new_task(script({say(log, "b", wait_task(1))}));
    scheduler.new_task(script({say(log, "c")}));
    scheduler.run();
    REQUIRE(scheduler.living_tasks() == Ids{1, 2});
    REQUIRE(log == Log{"a", "b", "c"});
  }
  REQUIRE(log == Log{"a", "b", "c", "gone"});
}

TEST_CASE("exec_task changes the body and keeps the id", "[step04]") {
  Log log;
  Scheduler scheduler;
  const Yielded other = exec_task(script({say(log, "new", get_task_id()), hear(log, "id ")}));
  scheduler.new_task(
      script({hold(at_destruction(log, "old gone")), say(log, "old", other), say(log, "never")}));
  scheduler.new_task(script({say(log, "other 1"), say(log, "other 2"), say(log, "other 3")}));
  scheduler.run();
  REQUIRE(log == Log{"other 1", "old", "old gone", "other 2", "new", "other 3", "id 1"});
}

TEST_CASE("who waits for a task waits through its exec_task", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_task(2)), hear(log, "a: ")}));
  scheduler.new_task(script({say(log, "b", exec_task(script({say(log, "c"), say(log, "d")})))}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "c", "d", "a: true"});
}

TEST_CASE("fork_task copies the caller, the copy gets nothing and comes first", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script(
      {say(log, "once", fork_task()), hear(log, "got ", get_task_id()), hear(log, "I am ")}));
  scheduler.run();
  REQUIRE(log == Log{"once", "got nothing", "got 2", "I am 2", "I am 1"});
}

TEST_CASE("a copy shares what the frame points to", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({hold(at_destruction(log, "last one gone")),
                             say(log, "once", fork_task()), say(log, "twice")}));
  scheduler.run();
  REQUIRE(log == Log{"once", "twice", "twice", "last one gone"});
}

TEST_CASE("a frame that cannot be copied makes no child and uses up no id", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Single>(log));
  scheduler.run();
  REQUIRE(log == Log{"false"});
  REQUIRE(scheduler.new_task(script({})) == 2);
}

TEST_CASE("who waits for a task does not wait for its copy", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_task(2)), hear(log, "a: ")}));
  scheduler.new_task(script({say(log, "b", fork_task()),
                             [&](const Value& sent) -> std::optional<Yielded> {
                               if (sent.has_value()) return std::nullopt;
                               return Nothing{};
                             },
                             say(log, "copy")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "copy", "a: true"});
}
