#include <any>
#include <any_catch2.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "process.hpp"

namespace {

using Log = std::vector<std::string>;

/// Yields what a function returns for turn 0, 1, 2, ..., until it returns `nullopt`. It also gets
/// the value that was sent.
class Scripted final : public Coroutine {
 public:
  using Script = std::function<std::optional<Yielded>(int turn, const Value& sent)>;
  explicit Scripted(Script script) : script_(std::move(script)) {}

 private:
  Script script_;
  int turn_ = 0;
  std::optional<Yielded> resume(Value sent) override { return script_(turn_++, sent); }
};

std::shared_ptr<Coroutine> body(Scripted::Script script) {
  return std::make_shared<Scripted>(std::move(script));
}

/// The numbers of the tasks are 1, 2, 3, ... in the order of these calls.
TaskId add(Scheduler& scheduler, Scripted::Script script) {
  return scheduler.new_task(body(std::move(script)));
}

/// A word for what was sent, which also tells its type.
std::string word(const Value& sent) {
  if (!sent.has_value()) return "nothing";
  if (const auto* text = std::any_cast<std::string>(&sent)) return *text;
  if (const auto* number = std::any_cast<int>(&sent)) return "int " + std::to_string(*number);
  if (const auto* id = std::any_cast<TaskId>(&sent)) return "id " + std::to_string(*id);
  return "another type";
}

/// Writes a line in each turn, with what was sent, and yields `steps`, one by one.
Scripted::Script steps(Log& log, const std::string& name, std::vector<Yielded> steps) {
  return [&log, name, steps](int turn, const Value& sent) -> std::optional<Yielded> {
    log.push_back(name + std::to_string(turn + 1) + (turn == 0 ? "" : " got " + word(sent)));
    if (turn < static_cast<int>(steps.size())) return steps[static_cast<std::size_t>(turn)];
    return std::nullopt;
  };
}

/// Calls what a function makes, when it is called. (A coroutine is called only once.)
Scripted::Script calling(Log& log, const std::string& name, std::function<Yielded()> call,
                         int times = 1) {
  return [&log, name, call, times](int turn, const Value& sent) -> std::optional<Yielded> {
    if (turn > 0) log.push_back(name + " got " + word(sent));
    if (turn < times) return call();
    return std::nullopt;
  };
}

/// Writes to the log when the body that owns it is destroyed.
std::shared_ptr<void> witness(Log& log, const std::string& text) {
  return std::shared_ptr<void>(nullptr, [&log, text](void*) { log.push_back(text); });
}

/// Calls the next of some layers; the last one yields, and never finishes. Each writes its name to
/// the log when it is destroyed.
class Layer final : public Coroutine {
 public:
  Layer(Log& log, Log names) : log_(log), names_(std::move(names)) {}
  ~Layer() override { log_.push_back(names_.front()); }

 private:
  Log& log_;
  Log names_;

  std::optional<Yielded> resume(Value) override {
    if (names_.size() == 1) return Nothing{};
    return Call{std::make_shared<Layer>(log_, Log(names_.begin() + 1, names_.end()))};
  }
};

/// What all coroutines of a deep pile share.
struct Depth {
  Yielded innermost = ReturnValue{0};
  int exist = 0;
  int result = -1;
};

/// Calls itself until `depth` is 0, yields there once, and returns the number of calls.
class Nested final : public Coroutine {
 public:
  Nested(int depth, Depth& shared) : depth_(depth), shared_(shared) { ++shared_.exist; }
  ~Nested() override { --shared_.exist; }

 private:
  int depth_;
  Depth& shared_;
  bool has_called_ = false;

  std::optional<Yielded> resume(Value sent) override {
    if (has_called_) {
      shared_.result = sent.has_value() ? std::any_cast<int>(sent) + 1 : 0;
      return ReturnValue{shared_.result};
    }
    has_called_ = true;
    if (depth_ == 0) return shared_.innermost;
    return Call{std::make_shared<Nested>(depth_ - 1, shared_)};
  }
};

}  // namespace

TEST_CASE("a call runs the callee, and the caller continues when it has finished") {
  Log log;
  Scheduler scheduler;
  add(scheduler, calling(log, "caller",
                         [&] { return Call{body(steps(log, "callee", {Nothing{}, Nothing{}}))}; }));
  add(scheduler, steps(log, "b", {Nothing{}, Nothing{}}));
  scheduler.run();
  REQUIRE(log == Log{"callee1", "b1", "callee2 got nothing", "b2 got nothing",
                     "callee3 got nothing", "caller got nothing", "b3 got nothing"});
}

TEST_CASE("a call returns the value of the callee, in the type that it has") {
  Log log;
  Scheduler scheduler;
  add(scheduler, calling(log, "a", [&] {
        return Call{body([](int, const Value&) { return ReturnValue{std::string("text")}; })};
      }));
  add(scheduler, calling(log, "b", [&] {
        return Call{body([](int, const Value&) { return ReturnValue{42}; })};
      }));
  scheduler.run();
  REQUIRE(log == Log{"a got text", "b got int 42"});
}

TEST_CASE("a callee that yields a return value is not resumed again") {
  Log log;
  Scheduler scheduler;
  add(scheduler, calling(log, "a", [&] {
        return Call{body(steps(log, "callee", {ReturnValue{1}, Nothing{}}))};
      }));
  scheduler.run();
  REQUIRE(log == Log{"callee1", "a got int 1"});
}

TEST_CASE("calls and returns take no turn") {
  Log log;
  Scheduler scheduler;
  const auto inner = [&] { return Call{body(steps(log, "inner", {ReturnValue{1}}))}; };
  add(scheduler,
      calling(
          log, "outer", [&, inner] { return Call{body(calling(log, "middle", inner, 2))}; }, 2));
  add(scheduler, steps(log, "b", {}));
  scheduler.run();
  REQUIRE(log == Log{"inner1", "middle got int 1", "inner1", "middle got int 1",
                     "outer got nothing", "inner1", "middle got int 1", "inner1",
                     "middle got int 1", "outer got nothing", "b1"});
}

TEST_CASE("the form of a callee is answered to the callee, and not to its caller") {
  Log log;
  Scheduler scheduler;
  const auto call = [&] { return Call{body(steps(log, "callee", {get_task_id()}))}; };
  add(scheduler, calling(log, "a", call));
  add(scheduler, calling(log, "b", call));
  scheduler.run();
  REQUIRE(log == Log{"callee1", "callee1", "callee2 got id 1", "a got nothing", "callee2 got id 2",
                     "b got nothing"});
}

TEST_CASE("two tasks take turns in the middle of their calls") {
  Log log;
  Scheduler scheduler;
  const auto task = [&](const std::string& name, int yields) {
    return calling(log, name, [&log, name, yields] {
      return Call{body(calling(log, name + ".", [&log, name, yields] {
        std::vector<Yielded> all(static_cast<std::size_t>(yields), Nothing{});
        all.push_back(ReturnValue{name});
        return Call{body(steps(log, name + "..", all))};
      }))};
    });
  };
  add(scheduler, task("a", 1));
  add(scheduler, task("b", 0));
  add(scheduler, task("c", 2));
  scheduler.run();
  REQUIRE(log == Log{"a..1", "b..1", "b. got b", "b got nothing", "c..1", "a..2 got nothing",
                     "a. got a", "a got nothing", "c..2 got nothing", "c..3 got nothing",
                     "c. got c", "c got nothing"});
}

TEST_CASE("a return value of the outermost coroutine ends the task, and wakes who waits for it") {
  Log log;
  Scheduler scheduler;
  add(scheduler, steps(log, "a", {Nothing{}, ReturnValue{1}, Nothing{}}));
  add(scheduler, steps(log, "b", {wait_task(1)}));
  scheduler.run();
  REQUIRE(log == Log{"a1", "b1", "a2 got nothing", "b2 got nothing"});
}

TEST_CASE("a callee waits for a task, and starts one") {
  Log log;
  Scheduler scheduler;
  const SystemCall start = new_task(body(steps(log, "child", {Nothing{}, Nothing{}})));
  add(scheduler, calling(log, "caller", [&] {
        return Call{body([&](int turn, const Value& sent) -> std::optional<Yielded> {
          if (turn == 0) return start;
          if (turn == 1) return wait_task(std::any_cast<TaskId>(sent));
          return ReturnValue{std::string("the child has finished")};
        })};
      }));
  scheduler.run();
  REQUIRE(log == Log{"child1", "child2 got nothing", "child3 got nothing",
                     "caller got the child has finished"});
}

TEST_CASE("a callee is destroyed before its caller continues") {
  Log log;
  Scheduler scheduler;
  bool returns = false;
  add(scheduler,
      calling(
          log, "caller",
          [&] {
            returns = !returns;
            auto owned = witness(log, "destroyed");
            return Call{body([owned, returns](int turn, const Value&) -> std::optional<Yielded> {
              if (turn == 0) return Nothing{};
              if (returns) return ReturnValue{1};
              return std::nullopt;
            })};
          },
          2));
  scheduler.run();
  REQUIRE(log == Log{"destroyed", "caller got int 1", "destroyed", "caller got nothing"});
}

TEST_CASE("killing a task destroys the innermost coroutine first, and then its callers") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Layer>(log, Log{"outer", "middle", "inner"}));
  add(scheduler, [&](int turn, const Value&) -> std::optional<Yielded> {
    if (turn < 2) return Nothing{};
    if (turn == 2) return kill_task(1);
    log.push_back("killed");
    return std::nullopt;
  });
  scheduler.run();
  REQUIRE(log == Log{"inner", "middle", "outer", "killed"});
}

TEST_CASE("100 000 calls, one inside the other") {
  Depth depth;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Nested>(100000, depth));
  scheduler.run();
  REQUIRE(depth.result == 100000);
  REQUIRE(depth.exist == 0);
}

TEST_CASE("two tasks are killed in the middle of 100 000 calls") {
  Depth a, b;
  a.innermost = b.innermost = SystemCall([](TaskId, Scheduler&) {});  // sleep
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Nested>(100000, a));
  scheduler.new_task(std::make_shared<Nested>(100000, b));
  add(scheduler, [&](int turn, const Value&) -> std::optional<Yielded> {
    if (turn == 0) REQUIRE((a.exist == 100001 && b.exist == 100001));
    if (turn == 1) REQUIRE((a.exist == 100001 && b.exist == 0));
    if (turn < 2) return kill_task(2 - turn);
    return std::nullopt;
  });
  scheduler.run();
  REQUIRE((a.exist == 0 && b.exist == 0));
}

TEST_CASE("100 000 calls, one after the other, in one turn") {
  Log log;
  Scheduler scheduler;
  int sum = 0;
  add(scheduler, [&](int turn, const Value& sent) -> std::optional<Yielded> {
    if (turn > 0) sum += std::any_cast<int>(sent);
    if (turn == 100000) return std::nullopt;
    return Call{body([](int, const Value&) { return ReturnValue{1}; })};
  });
  add(scheduler, [&](int, const Value&) -> std::optional<Yielded> {
    log.push_back(std::to_string(sum));
    return std::nullopt;
  });
  scheduler.run();
  REQUIRE(log == Log{"100000"});
}
