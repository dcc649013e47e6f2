#include <any_catch2.hpp>
#include <stdexcept>
#include <vector>

#include "process.hpp"
#include "script.hpp"
#include "stacked_coroutine.hpp"

namespace {

Yielded call(std::vector<Script::Step> steps) {
  return Call{script(std::move(steps))};
}
Yielded give(const std::string& value) {
  return ReturnValue{value};
}

/// Calls itself until it is `depth` deep, yields `turns` times there, and returns the depth it
/// reached. Writes its depth down when it is destroyed.
class Deep final : public Coroutine {
 public:
  Deep(int depth, int turns, std::vector<int>& destroyed, int level = 1)
      : depth_(depth), turns_(turns), destroyed_(destroyed), level_(level) {}
  ~Deep() override { destroyed_.push_back(level_); }

 private:
  enum class At { start, yielded, called } at_ = At::start;
  int depth_, turns_;
  std::vector<int>& destroyed_;
  int level_, i_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      if (level_ < depth_) {
        at_ = At::called;
        return Call{std::make_shared<Deep>(depth_, turns_, destroyed_, level_ + 1)};
      }
      for (i_ = 0; i_ < turns_; ++i_) {
        at_ = At::yielded;
        return Nothing{};
      case At::yielded:;
      }
      return ReturnValue{level_};
    case At::called:
      REQUIRE(destroyed_.back() == level_ + 1);  // before the caller goes on
      return ReturnValue{std::any_cast<int>(sent)};
    }
    return std::nullopt;
  }
};

}  // namespace

TEST_CASE("a call runs the other coroutine and gives what it returns", "[step06]") {
  Log log;
  Scheduler scheduler;
  const Yielded callee =
      call({say(log, "in"), hear(log, "yield gave ", give("result")), say(log, "never")});
  scheduler.new_task(script({say(log, "calls", callee), hear(log, "got ")}));
  scheduler.run();
  REQUIRE(log == Log{"calls", "in", "yield gave nothing", "got result"});
}

TEST_CASE("a coroutine that ends without a value gives nothing", "[step06]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "calls", call({say(log, "in")})), hear(log, "got "),
                             say(log, "calls", call({})), hear(log, "got ")}));
  scheduler.run();
  REQUIRE(log == Log{"calls", "in", "got nothing", "calls", "got nothing"});
}

TEST_CASE("the first thing that a called coroutine yields is not lost", "[step06]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "calls", call({say(log, "asks", get_task_id()), hear(log, "id ")}))}));
  scheduler.run();
  REQUIRE(log == Log{"calls", "asks", "id 1"});
}

TEST_CASE("calls and returns take no turn", "[step06]") {
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

TEST_CASE("two tasks in called coroutines take turns", "[step06]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "", call({say(log, "a1"), say(log, "a2")}))}));
  scheduler.new_task(script({say(log, "", call({say(log, "b1"), say(log, "b2")}))}));
  scheduler.run();
  REQUIRE(log == Log{"", "a1", "", "b1", "a2", "b2"});
}

TEST_CASE("a value returned by the outermost coroutine ends the task", "[step06]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", give("for nobody")), say(log, "never")}));
  scheduler.new_task(script({say(log, "b", wait_task(1)), hear(log, "")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "true"});
}

TEST_CASE("what is called is destroyed before its caller goes on", "[step06]") {
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

TEST_CASE("an exception goes through all callers and ends the task", "[step06]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", call({[](Value) -> std::optional<Yielded> {
                                   throw std::runtime_error("from inside");
                                 }})),
                             say(log, "never")}));
  scheduler.new_task(script({say(log, "b")}));
  REQUIRE_THROWS_WITH(scheduler.run(), "from inside");
  scheduler.run();
  REQUIRE(log == Log{"a", "b"});
}

TEST_CASE("calling nothing is an exception in the call", "[step06]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", Call{nullptr}), say(log, "never")}));
  REQUIRE_THROWS_AS(scheduler.run(), std::invalid_argument);
  REQUIRE(log == Log{"a"});
}

TEST_CASE("killing a task destroys the whole stack, innermost first", "[step06]") {
  std::vector<int> destroyed;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Deep>(4, 100, destroyed));
  scheduler.new_task(script({hold(nullptr), [](Value) { return Yielded(kill_task(1)); }}));
  scheduler.run();
  REQUIRE(destroyed == std::vector<int>{4, 3, 2, 1});
}

TEST_CASE("exec_task in a called coroutine replaces the whole stack", "[step06]") {
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

TEST_CASE("fork_task in a called coroutine copies the whole stack", "[step06]") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "outer",
                                 call({say(log, "forks", fork_task()), hear(log, "inner got "),
                                       say(log, "returns", give("x"))})),
                             hear(log, "outer got ", get_task_id()), hear(log, "in task ")}));
  scheduler.run();
  REQUIRE(log == Log{"outer", "forks", "inner got nothing", "inner got 2", "returns", "outer got x",
                     "returns", "outer got x", "in task 2", "in task 1"});
}

TEST_CASE("a hundred thousand calls deep, and back, or killed there", "[step06]") {
  constexpr int depth = 100000;
  std::vector<int> destroyed;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Deep>(depth, 2, destroyed));
  SECTION("back") {}
  SECTION("killed") {
    scheduler.new_task(script({[](Value) { return Yielded(kill_task(1)); }}));
  }
  scheduler.run();
  REQUIRE(destroyed.size() == depth);
  REQUIRE(destroyed.front() == depth);
  REQUIRE(destroyed.back() == 1);
}

TEST_CASE("a yield resumes the innermost coroutine only", "[step06]") {
  struct Counted final : Coroutine {
    explicit Counted(int& resumed, int depth) : resumed_(resumed), depth_(depth) {}
    int& resumed_;
    int depth_, turns_ = 0;
    std::optional<Yielded> resume(Value) override {
      ++resumed_;
      if (depth_ > 0)
        return Call{std::make_shared<Counted>(resumed_, std::exchange(depth_, 0) - 1)};
      if (++turns_ > 10) return std::nullopt;
      return Nothing{};
    }
  };
  for (const int depth : {0, 10000}) {
    int resumed = 0;
    Task task(1, std::make_shared<Counted>(resumed, depth));
    task.run();
    resumed = 0;
    for (int i = 0; i < 5; ++i) task.run();
    REQUIRE(resumed == 5);
  }
}
