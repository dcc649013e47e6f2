#include <any>
#include <memory>
#include <optional>
#include <utility>

#include "any_catch2.hpp"
#include "calls.hpp"
#include "process.hpp"
#include "script.hpp"

namespace {

/// What all coroutines of a stack of Nested share.
struct Depth {
  Yielded innermost;  // the value that the innermost coroutine yields
  long result = 0;
};

/// Calls itself until `depth` is 0, yields there once, and returns the number of calls.
class Nested final : public Coroutine {
 public:
  Nested(long depth, std::shared_ptr<Depth> shared) : depth_(depth), shared_(std::move(shared)) {}

 private:
  enum class State { start, yielded, called };
  State state_ = State::start;
  long depth_;
  std::shared_ptr<Depth> shared_;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      if (depth_ > 0) {
        state_ = State::called;
        return Call{std::make_shared<Nested>(depth_ - 1, shared_)};
      case State::called:
        shared_->result = std::any_cast<long>(sent) + 1;
        return ReturnValue{shared_->result};
      }
      state_ = State::yielded;
      return shared_->innermost;
    case State::yielded:;
    }
    return ReturnValue{0L};
  }
};

constexpr long million = 1000000;

}  // namespace

TEST_CASE("a call runs the callee and returns its return value", "[step06]") {
  Log log;
  Scheduler scheduler;
  const Call callee =
      call({say(log, "callee"), hear(log, "yield returned ", result("x")), say(log, "never")});
  scheduler.new_task(script({say(log, "caller", callee), hear(log, "call returned ")}));
  scheduler.run();
  REQUIRE(log == Log{"caller", "callee", "yield returned nothing", "call returned x"});
}

TEST_CASE("a call returns an empty value when the callee finishes without a return value",
          "[step06]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "caller", call({say(log, "callee")})), hear(log, "got "),
                             say(log, "again", call({say(log, "callee", result("x"))})),
                             hear(log, "got ", call({})), hear(log, "got ")}));
  scheduler.run();
  REQUIRE(log == Log{"caller", "callee", "got nothing", "again", "callee", "got x", "got nothing"});
}

TEST_CASE("a call of a coroutine that never yields returns in the same turn", "[step06]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a1", call({})), hear(log, "a2 got "), say(log, "a3")}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2")}));
  scheduler.run();
  REQUIRE(log == Log{"a1", "a2 got nothing", "b1", "a3", "b2"});
}

TEST_CASE("the first value that a callee yields is not lost", "[step06]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "caller", call({say(log, "callee", get_task_id()), hear(log, "id ")}))}));
  scheduler.run();
  REQUIRE(log == Log{"caller", "callee", "id 1"});
}

TEST_CASE("calls and returns take no turn", "[step06]") {
  Log log;
  Scheduler scheduler;
  const Call innermost = call({say(log, "a3", result("x"))});
  const Call middle = call({say(log, "a2", innermost), hear(log, "a4 ", result("y"))});
  scheduler.new_task(script({say(log, "a1", middle), hear(log, "a5 "), say(log, "a6")}));
  scheduler.new_task(script({say(log, "b1"), say(log, "b2")}));
  scheduler.run();
  REQUIRE(log == Log{"a1", "a2", "a3", "a4 x", "a5 y", "b1", "a6", "b2"});
}

TEST_CASE("two tasks take turns in their callees", "[step06]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "a", call({say(log, "a1"), say(log, "a2")})), say(log, "a3")}));
  scheduler.new_task(
      script({say(log, "b", call({say(log, "b1"), say(log, "b2")})), say(log, "b3")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "a1", "b", "b1", "a2", "b2", "a3", "b3"});
}

TEST_CASE("a return value of the outermost coroutine finishes the task", "[step06]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", result("x")), say(log, "never")}));
  scheduler.new_task(script({say(log, "b waits", wait_task(1)), hear(log, "b got ")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b waits", "b got nothing"});
}

TEST_CASE("a callee is destroyed before its caller is resumed", "[step06]") {
  Log log;
  Scheduler scheduler;
  const Script::Step calls = [&log](Value) {
    return call({hold(at_destruction(log, "destroyed")), say(log, "returns", result("x"))});
  };
  const Script::Step calls_again = [&log](Value) {
    return call({hold(at_destruction(log, "destroyed")), say(log, "finishes")});
  };
  scheduler.new_task(script({calls, hear(log, "got "), calls_again, hear(log, "got ")}));
  scheduler.run();
  REQUIRE(log == Log{"returns", "destroyed", "got x", "finishes", "destroyed", "got nothing"});
}

TEST_CASE("kill_task destroys every callee before its caller", "[step06]") {
  Log log;
  Scheduler scheduler;
  const Script::Step innermost = [&log](Value) {
    return call({hold(at_destruction(log, "innermost")), pass(), pass(), say(log, "never")});
  };
  const Script::Step middle = [&log, innermost](Value) {
    return call({hold(at_destruction(log, "middle")), innermost, say(log, "never")});
  };
  scheduler.new_task(script({hold(at_destruction(log, "outermost")), middle, say(log, "never")}));
  scheduler.new_task(
      script({pass(), pass(), pass(), say(log, "kills", kill_task(1)), say(log, "continues")}));
  scheduler.run();
  REQUIRE(log == Log{"kills", "innermost", "middle", "outermost", "continues"});
}

TEST_CASE("a million nested calls run and return", "[step06]") {
  const auto depth = std::make_shared<Depth>();
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Nested>(million, depth));
  scheduler.run();
  REQUIRE(depth->result == million);
  REQUIRE(depth.use_count() == 1);
}

TEST_CASE("a task with a million nested calls can be killed", "[step06]") {
  const auto depth = std::make_shared<Depth>();
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Nested>(million, depth));
  scheduler.new_task(script({[depth](Value) {
    CHECK(depth.use_count() > million);
    return kill_task(1);
  }}));
  scheduler.run();
  REQUIRE(depth->result == 0);
  REQUIRE(depth.use_count() == 1);
}

TEST_CASE("a task with a million nested calls is destroyed with its scheduler", "[step06]") {
  const SystemCall wait_forever = [](TaskId, Scheduler&) {};
  const auto depth = std::make_shared<Depth>(Depth{wait_forever});
  {
    Scheduler scheduler;
    scheduler.new_task(std::make_shared<Nested>(million, depth));
    scheduler.run();
    REQUIRE(depth.use_count() > million);
  }
  REQUIRE(depth->result == 0);
  REQUIRE(depth.use_count() == 1);
}
