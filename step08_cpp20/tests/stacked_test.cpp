#include <any>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "process.hpp"
#include "script.hpp"

namespace {

/// A coroutine that calls itself until `level` is `depth`, yields `turns` times there, and returns
/// the level it reached, as a text. Writes its level down when it is destroyed.
std::vector<Script::Step> deep(int depth, std::size_t turns, std::vector<int>& destroyed,
                               int level = 1) {
  const auto goes = [&destroyed, level](void*) { destroyed.push_back(level); };
  const std::shared_ptr<void> guard(nullptr, goes);
  if (level == depth) {
    std::vector<Script::Step> steps(turns, hold(nullptr));
    steps.push_back([guard, level](const Value&) { return give(std::to_string(level)); });
    return steps;
  }
  return {[=, &destroyed](const Value&) { return call(deep(depth, turns, destroyed, level + 1)); },
          [guard, level, &destroyed](const Value& sent) {
            REQUIRE(destroyed.back() == level + 1);  // before the caller goes on
            return give(std::any_cast<std::string>(sent));
          }};
}

}  // namespace

TEST_CASE("a call runs the other coroutine and gives what it returns", "[step08]") {
  Log log;
  Scheduler scheduler;
  const Yielded callee =
      call({say(log, "in"), hear(log, "yield gave ", give("result")), say(log, "never")});
  scheduler.new_task(script({say(log, "calls", callee), hear(log, "got ")}));
  scheduler.run();
  REQUIRE(log == Log{"calls", "in", "yield gave nothing", "got result"});
}

TEST_CASE("a coroutine that ends without a value gives nothing", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "calls", call({say(log, "in")})), hear(log, "got "),
                             say(log, "calls", call({})), hear(log, "got ")}));
  scheduler.run();
  REQUIRE(log == Log{"calls", "in", "got nothing", "calls", "got nothing"});
}

TEST_CASE("the first thing that a called coroutine yields is not lost", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "calls", call({say(log, "asks", get_task_id()), hear(log, "id ")}))}));
  scheduler.run();
  REQUIRE(log == Log{"calls", "asks", "id 1"});
}

TEST_CASE("calls and returns take no turn", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script(
      {say(log, "a1",
           call({say(log, "a2", call({say(log, "a3", give("x"))})), hear(log, "a4 ", give("y"))})),
       hear(log, "a5 "), say(log, "a6")}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2")}));
  scheduler.run();
  REQUIRE(log == Log{"a1", "a2", "a3", "a4 x", "a5 y", "b1", "a6", "b2"});
}

TEST_CASE("two tasks in called coroutines take turns", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "", call({say(log, "a1"), say(log, "a2")}))}));
  scheduler.new_task(script({say(log, "", call({say(log, "b1"), say(log, "b2")}))}));
  scheduler.run();
  REQUIRE(log == Log{"", "a1", "", "b1", "a2", "b2"});
}

TEST_CASE("a value returned by the outermost coroutine ends the task", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", give("for nobody")), say(log, "never")}));
  scheduler.new_task(script({say(log, "b", wait_task(1)), hear(log, "")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "true"});
}

TEST_CASE("what is called is destroyed before its caller goes on", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({[&](Value) -> std::optional<Yielded> {
                               return call({hold(at_destruction(log, "destroyed")),
                                            say(log, "returns", give("x"))});
                             },
                             hear(log, "got ")}));
  scheduler.run();
  REQUIRE(log == Log{"returns", "destroyed", "got x"});
}

TEST_CASE("killing a task destroys the whole stack, innermost first", "[step08]") {
  std::vector<int> destroyed;
  Scheduler scheduler;
  scheduler.new_task(script(deep(4, 100, destroyed)));
  scheduler.new_task(script({hold(nullptr), [](Value) { return Yielded(kill_task(1)); }}));
  scheduler.run();
  REQUIRE(destroyed == std::vector<int>{4, 3, 2, 1});
}

TEST_CASE("exec_task in a called coroutine replaces the whole stack", "[step08]") {
  Log log;
  Scheduler scheduler;
  const Yielded other = exec_task(script({say(log, "new")}));
  const Script::Step outer = [&](Value) {
    log.push_back("outer");
    return call(
        {hold(at_destruction(log, "inner gone")), say(log, "inner", other), say(log, "never")});
  };
  scheduler.new_task(script({hold(at_destruction(log, "outer gone")), outer, say(log, "never")}));
  scheduler.run();
  REQUIRE(log == Log{"outer", "inner", "inner gone", "outer gone", "new"});
}

TEST_CASE("a hundred thousand calls deep, and back, or killed there", "[step08]") {
  constexpr int depth = 100000;
  std::vector<int> destroyed;
  Scheduler scheduler;
  scheduler.new_task(script(deep(depth, 2, destroyed)));
  SECTION("back") {}
  SECTION("killed") {
    scheduler.new_task(script({[](Value) { return Yielded(kill_task(1)); }}));
  }
  scheduler.run();
  REQUIRE(destroyed.size() == depth);
  REQUIRE(destroyed.front() == depth);
  REQUIRE(destroyed.back() == 1);
}

TEST_CASE("a yield resumes the innermost coroutine only", "[step08]") {
  int resumed = 0;
  const std::function<Script::Step(int)> counted = [&](int depth) -> Script::Step {
    return [&, depth, called = false](const Value&) mutable -> std::optional<Yielded> {
      ++resumed;
      if (depth > 0 && !std::exchange(called, true)) return call({11, counted(depth - 1)});
      return Nothing{};
    };
  };
  for (const int depth : {0, 10000}) {
    Task task(1, repeat(counted(depth)));
    task.run();
    resumed = 0;
    for (int i = 0; i < 5; ++i) task.run();
    REQUIRE(resumed == 5);
  }
}
