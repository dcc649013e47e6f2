#include <poll.h>
#include <unistd.h>

#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "catching.hpp"
#include "mailbox.hpp"
#include "process.hpp"
#include "script.hpp"

namespace {

std::exception_ptr invalid(const char* what) {
  return std::make_exception_ptr(std::invalid_argument(what));
}
std::exception_ptr runtime(const char* what) {
  return std::make_exception_ptr(std::runtime_error(what));
}

Script::Step raise(const char* what) {
  return [what](const Value&) -> std::optional<Yielded> { throw std::runtime_error(what); };
}

/// A script that catches: what is thrown into it is written down, and the next step is made.
auto guarded(Log& log, std::vector<Script::Step> steps) {
  const auto write_down = [&log](const std::exception& e) {
    log.push_back(std::string("caught ") + e.what());
  };
  return guarded(write_down, std::move(steps));
}

/// Calls itself until it is `depth` deep and throws there. Writes its level down when destroyed.
std::vector<Script::Step> deep(int depth, std::vector<int>& destroyed, int level = 1) {
  const auto goes = [&destroyed, level](void*) { destroyed.push_back(level); };
  const std::shared_ptr<void> guard(nullptr, goes);
  return {[=, &destroyed](const Value&) -> std::optional<Yielded> {
    std::ignore = guard;
    if (level == depth) throw std::runtime_error("from the depth");
    return call(deep(depth, destroyed, level + 1));
  }};
}

}  // namespace

TEST_CASE("throw_into throws at the yield and returns what the next one hands out", "[step08]") {
  Log log;
  auto generator = catching(log);
  REQUIRE(generator.current() == "y1");
  REQUIRE(generator.throw_into(invalid("a")) == "y2");
  REQUIRE(generator.send("b") == "y3");
  REQUIRE(log == Log{"start", "caught a", "got b"});
}

TEST_CASE("throw_into a fresh generator runs it to its first yield before", "[step08]") {
  Log log;
  auto generator = catching(log);
  REQUIRE(generator.throw_into(invalid("a")) == "y2");
  REQUIRE(log == Log{"start", "caught a"});
}

TEST_CASE("what the body does not catch comes back out and finishes it", "[step08]") {
  Log log;
  auto generator = catching(log);
  generator.rewind();
  REQUIRE_THROWS_WITH(generator.throw_into(runtime("not mine")), "not mine");
  REQUIRE_FALSE(generator.valid());
  REQUIRE(generator.send("x") == std::nullopt);
  REQUIRE_THROWS_AS(generator.rewind(), std::logic_error);
}

TEST_CASE("an exception comes back out of a finished generator", "[step08]") {
  Log log;
  auto generator = catching(log);
  generator.send("end");
  REQUIRE_THROWS_WITH(generator.throw_into(invalid("late")), "late");
  REQUIRE(log == Log{"start", "got end"});
}

TEST_CASE("an exception set before a task's first turn is thrown in that turn", "[step08]") {
  Log log;
  Task task(1, guarded(log, {say(log, "starts"), say(log, "goes on")}));
  task.set_exception(runtime("early"));
  REQUIRE(task.run());
  REQUIRE(log == Log{"starts", "caught early", "goes on"});
}

TEST_CASE("an exception replaces the answer, and neither is delivered twice", "[step08]") {
  Log log;
  Task task(1, guarded(log, {say(log, "a"), hear(log, "b "), hear(log, "c ")}));
  task.run();
  task.set_send_value(std::string("lost"));
  task.set_exception(runtime("x"));
  task.run();
  task.run();
  REQUIRE(log == Log{"a", "caught x", "b nothing", "c nothing"});
}

TEST_CASE("a task that changes its body or ends takes no exception along", "[step08]") {
  Log log;
  const auto cause = std::make_shared<int>(0);
  Task task(1, script({say(log, "old")}));
  task.run();
  task.set_exception(std::make_exception_ptr(cause));
  task.exec(script({hear(log, "new "), hear(log, "and ")}));
  task.run();
  task.run();
  REQUIRE(log == Log{"old", "new nothing", "and nothing"});
  task.set_exception(std::make_exception_ptr(cause));
  task.end();
  REQUIRE(cause.use_count() == 1);
}

TEST_CASE("what a system call throws goes to the task that made it", "[step08]") {
  Log log;
  Scheduler scheduler;
  const Yielded fails = system_call([](Task&, Scheduler&) { throw 42; });
  const Yielded answers_and_fails = system_call([](Task& task, Scheduler& s) {
    task.set_send_value(std::string("leaked"));
    s.schedule(task);
    throw std::runtime_error("after the answer");
  });
  scheduler.new_task(
      guarded(log, {say(log, "a1", answers_and_fails), hear(log, "a2 "), hear(log, "a3 ")}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2"), say(log, "b3")}));
  std::vector<TaskId> uncaught;
  scheduler.on_uncaught([&](TaskId id, std::exception_ptr) { uncaught.push_back(id); });
  scheduler.new_task(script({say(log, "c", fails), say(log, "never")}));
  scheduler.run();
  REQUIRE(log ==
          Log{"a1", "b1", "c", "caught after the answer", "a2 nothing", "b2", "a3 nothing", "b3"});
  REQUIRE(uncaught == std::vector<TaskId>{3});
}

TEST_CASE("kill_task and wait_task throw where they gave false before", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({}));
  scheduler.new_task(
      guarded(log, {say(log, "", kill_task(500)), say(log, "", kill_task(1)),
                    say(log, "", wait_task(0)), say(log, "", wait_task(9)),
                    say(log, "", wait_task(2)), say(log, "", wait_task(1)), hear(log, "ended: ")}));
  scheduler.run();
  REQUIRE(log == Log{"", "caught Invalid task ID!", "", "caught Invalid task ID!", "",
                     "caught Invalid task ID!", "", "caught Invalid task ID!", "",
                     "caught A task cannot wait for itself", "", "ended: true"});
}

TEST_CASE("an uncaught exception ends its own task, and nobody else notices", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.on_uncaught([&](TaskId id, std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      log.push_back("task " + std::to_string(id) + ": " + e.what());
    }
  });
  scheduler.new_task(script({hold(at_destruction(log, "destroyed")), raise("oh")}));
  scheduler.new_task(script({say(log, "b", wait_task(1)), hear(log, "b: ")}));
  scheduler.new_task(script({say(log, "c1"), say(log, "c2"), say(log, "c3")}));
  scheduler.run();
  REQUIRE(log == Log{"b", "c1", "destroyed", "task 1: oh", "c2", "b: true", "c3"});
  REQUIRE(scheduler.living_tasks().empty());
}

TEST_CASE("without a handler, a line on stderr says it", "[step08]") {
  std::ostringstream said;
  std::streambuf* const kept = std::cerr.rdbuf(said.rdbuf());
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({raise("oh")}));
  scheduler.new_task(script({[](const Value&) -> std::optional<Yielded> { throw 42; }}));
  scheduler.run();
  std::cerr.rdbuf(kept);
  REQUIRE(said.str() == "task 1 ended by an exception: oh\ntask 2 ended by an exception\n");
}

TEST_CASE("a system call that kills its task and throws harms nobody", "[step08]") {
  Log log;
  Scheduler scheduler;
  const Yielded dies = system_call([](Task& task, Scheduler& s) {
    s.kill_task(task.id());
    throw std::runtime_error("too late");
  });
  scheduler.new_task(guarded(log, {say(log, "a", dies), say(log, "never")}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b1", "b2"});
}

TEST_CASE("an exception of a called coroutine goes to its caller", "[step08]") {
  Log log;
  Scheduler scheduler;
  const auto inner = [&](Value) -> std::optional<Yielded> {
    log.push_back("calls");
    return call({hold(at_destruction(log, "inner gone")), raise("from inside")});
  };
  const auto immediate = [&](Value) -> std::optional<Yielded> { return call({raise("at once")}); };
  scheduler.new_task(guarded(log, {inner, immediate, say(log, "goes on")}));
  scheduler.run();
  REQUIRE(log == Log{"calls", "inner gone", "caught from inside", "caught at once", "goes on"});
}

TEST_CASE("calling nothing throws into the caller, at the yield of the call", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(guarded(log, {say(log, "a", call_nothing()), say(log, "goes on")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "caught There is no coroutine to call", "goes on"});
}

TEST_CASE("a frame that kills its own task as it goes does no harm", "[step08]") {
  Log log;
  Scheduler scheduler;
  const auto inner = [&](Value) -> std::optional<Yielded> {
    const auto kill_1 = [&](void*) { scheduler.kill_task(1); };
    return call({hold(std::shared_ptr<void>(nullptr, kill_1))});
  };
  scheduler.new_task(script({inner, say(log, "its last words"), say(log, "never")}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2"), say(log, "b3")}));
  scheduler.run();
  REQUIRE(log == Log{"b1", "its last words", "b2", "b3"});
}

TEST_CASE("a handler may set another one, and a body may call run", "[step08]") {
  Log log;
  Scheduler scheduler;
  const std::string word = "a word that is too long to be kept inside of a std::string";
  scheduler.on_uncaught([&log, &scheduler, word](TaskId, std::exception_ptr) {
    scheduler.on_uncaught([](TaskId, std::exception_ptr) {});
    log.push_back(word);
  });
  scheduler.new_task(script({raise("oh")}));
  scheduler.new_task(script({[&](const Value&) -> std::optional<Yielded> {
    scheduler.run();
    return Nothing{};
  }}));
  scheduler.new_task(script({say(log, "c")}));
  scheduler.run();
  REQUIRE(log == Log{word, "c"});
}

TEST_CASE("a wait that a throwing system call began is forgotten", "[step08]") {
  Log log;
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const Socket here{ends[0]};
  Scheduler scheduler;
  const Yielded waits_and_fails = system_call([&](Task& task, Scheduler& s) {
    s.wait_for(task, here, POLLIN, no_deadline);
    throw std::runtime_error("after the wait");
  });
  scheduler.new_task(guarded(
      log, {say(log, "a", waits_and_fails), say(log, "b", receive_message()), say(log, "never")}));
  scheduler.new_task(script({say(log, "c"), [&](const Value&) -> std::optional<Yielded> {
                               REQUIRE(::write(ends[1], "x", 1) == 1);
                               return Nothing{};
                             }}));
  scheduler.run();
  ::close(ends[1]);
  REQUIRE(log == Log{"a", "c", "caught after the wait", "b"});
}

TEST_CASE("an exception passes through callers that do not catch it", "[step08]") {
  Log log;
  Scheduler scheduler;
  const Yielded level_3 = call({raise("deep")});
  const Yielded level_2 = call({say(log, "2", level_3), say(log, "never")});
  scheduler.new_task(guarded(log, {say(log, "1", level_2), say(log, "goes on")}));
  scheduler.run();
  REQUIRE(log == Log{"1", "2", "caught deep", "goes on"});
}

TEST_CASE("an exception of a system call reaches the coroutine that made it, not its caller",
          "[step08]") {
  Log log;
  Scheduler scheduler;
  const Yielded inner =
      call_it(guarded(log, {say(log, "inner", kill_task(500)), say(log, "returns", give("x"))}));
  scheduler.new_task(guarded(log, {say(log, "outer", inner), hear(log, "got ")}));
  scheduler.run();
  REQUIRE(log == Log{"outer", "inner", "caught Invalid task ID!", "returns", "got x"});
}

TEST_CASE("a caught exception may be translated, and its cause be kept", "[step08]") {
  const auto translate = [](const std::exception&) {
    std::throw_with_nested(std::runtime_error("translated"));
  };
  Log log;
  Scheduler scheduler;
  scheduler.on_uncaught([&](TaskId, std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      log.push_back(e.what());
      try {
        std::rethrow_if_nested(e);
      } catch (const std::exception& cause) {
        log.push_back(cause.what());
      }
    }
  });
  scheduler.new_task(guarded(translate, {say(log, "calls", call({raise("cause")}))}));
  scheduler.run();
  REQUIRE(log == Log{"calls", "translated", "cause"});
}

TEST_CASE("an exception passes through twenty thousand calls, innermost first", "[step08]") {
  constexpr int depth = 20000;
  std::vector<int> destroyed;
  int reported = 0;
  Scheduler scheduler;
  scheduler.on_uncaught([&](TaskId, std::exception_ptr) { ++reported; });
  scheduler.new_task(script(deep(depth, destroyed)));
  scheduler.run();
  REQUIRE(reported == 1);
  REQUIRE(destroyed.size() == depth);
  REQUIRE(destroyed.front() == depth);
  REQUIRE(destroyed.back() == 1);
}

TEST_CASE("the exception of a reporting handler leaves run, and run can go on", "[step08]") {
  Log log;
  Scheduler scheduler;
  scheduler.on_uncaught([](TaskId, std::exception_ptr error) { std::rethrow_exception(error); });
  scheduler.new_task(script({raise("oh")}));
  scheduler.new_task(script({say(log, "b")}));
  REQUIRE_THROWS_WITH(scheduler.run(), "oh");
  scheduler.run();
  REQUIRE(log == Log{"b"});
}
