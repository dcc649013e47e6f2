#include "small_unix.hpp"

#include <optional>

#include "any_catch2.hpp"
#include "process.hpp"
#include "script.hpp"

TEST_CASE("exec_task replaces the body and keeps the id", "[step04]") {
  Log log;
  Scheduler scheduler;
  const SystemCall other = exec_task(script({say(log, "new", get_task_id()), hear(log, "id ")}));
  scheduler.new_task(script(
      {hold(at_destruction(log, "old is destroyed")), say(log, "old", other), say(log, "never")}));
  scheduler.run();
  REQUIRE(log == Log{"old", "old is destroyed", "new", "id 1"});
}

TEST_CASE("waiting for a task includes the body that it runs after exec_task", "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_task(2)), say(log, "a continues")}));
  scheduler.new_task(script({say(log, "b", exec_task(script({say(log, "c"), say(log, "d")})))}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "c", "d", "a continues"});
}

TEST_CASE("fork_task returns the id to the original and nothing to the copy which runs first",
          "[step04]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script(
      {say(log, "forks", fork_task()), hear(log, "got ", get_task_id()), hear(log, "I am ")}));
  scheduler.run();
  REQUIRE(log == Log{"forks", "got nothing", "got 2", "I am 2", "I am 1"});
}

TEST_CASE("waiting for a task does not wait for its forked copy", "[step04]") {
  Log log;
  Scheduler scheduler;
  const Script::Step original_ends = [](const Value& sent) -> std::optional<Yielded> {
    if (sent.has_value()) return std::nullopt;
    return Nothing{};
  };
  const SystemCall wait_forever = [](TaskId, Scheduler&) {};
  scheduler.new_task(script({say(log, "a", wait_task(2)), say(log, "a continues", wait_forever),
                             say(log, "never")}));  // not when the copy ends either
  scheduler.new_task(
      script({say(log, "b", fork_task()), original_ends, say(log, "copy"), say(log, "copy")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "copy", "a continues", "copy"});
}
