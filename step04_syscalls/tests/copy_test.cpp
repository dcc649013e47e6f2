// What only a hand-rolled frame can do: be copied; and be owned like any other object.

#include <any>
#include <any_catch2.hpp>
#include <memory>
#include <vector>

#include "mailbox.hpp"
#include "process.hpp"
#include "script.hpp"

namespace {

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

TEST_CASE("a request is moved on, not kept: the task is the only owner of its coroutine",
          "[step04]") {
  std::vector<long> owners;
  std::weak_ptr<Coroutine> child;
  const Script::Step start_child = [&](Value) -> std::optional<Yielded> {
    const auto coroutine = script({});
    child = coroutine;
    return new_task(coroutine);
  };
  const Script::Step count = [&](Value) -> std::optional<Yielded> {
    owners.push_back(child.use_count());
    return Nothing{};
  };
  Scheduler scheduler;
  scheduler.new_task(script({start_child, start_child}));
  scheduler.new_task(script({count, count}));
  scheduler.run();
  REQUIRE(owners == std::vector<long>{1, 1});
}

TEST_CASE("a copy has no name and none of the messages", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "once", fork_task()),
                             hear(log, "fork gave ", receive_message()), hear(log, "got ")}),
                     "a");
  scheduler.send_message("a", std::string("m"));
  scheduler.run();
  REQUIRE(log == Log{"once", "fork gave nothing", "fork gave 2", "got m"});
  REQUIRE(scheduler.living_tasks() == std::vector<TaskId>{2});
}
