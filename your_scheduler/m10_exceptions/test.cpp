#include <unistd.h>

#include <algorithm>
#include <any>
#include <any_catch2.hpp>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "generator.hpp"
#include "process.hpp"

namespace {

using Log = std::vector<std::string>;

/// An exception that no library throws.
struct Broken {
  int number;
};

/// Another one, which has a text.
struct Torn : std::runtime_error {
  explicit Torn(int its_number) : std::runtime_error("a page is torn"), number(its_number) {}
  int number;
};

/// A word for an exception, which also tells its type.
std::string word(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Broken& broken) {
    return "broken " + std::to_string(broken.number);
  } catch (const Torn& torn) {
    return "torn " + std::to_string(torn.number);
  } catch (const std::invalid_argument&) {
    return "invalid_argument";
  } catch (int number) {
    return "int " + std::to_string(number);
  } catch (...) {
    return "another type";
  }
}

/// The exception that `function` throws.
std::string thrown(const std::function<void()>& function) {
  try {
    function();
  } catch (...) {
    return word(std::current_exception());
  }
  return "nothing";
}

/// Yields what a function returns for turn 0, 1, 2, ..., until it returns `nullopt`. If its yield
/// throws, a second function is asked, if there is one.
class Scripted final : public Coroutine {
 public:
  using Script = std::function<std::optional<Yielded>(int turn, const Value& sent)>;
  using Catch = std::function<std::optional<Yielded>(int turn, const std::exception_ptr& error)>;
  explicit Scripted(Script script, Catch caught = nullptr)
      : script_(std::move(script)), catch_(std::move(caught)) {}

 private:
  Script script_;
  Catch catch_;
  int turn_ = 0;
  std::optional<Yielded> resume(Value sent) override { return script_(turn_++, sent); }
  std::optional<Yielded> resume_with_exception(std::exception_ptr error) override {
    if (!catch_) std::rethrow_exception(error);
    return catch_(turn_++, error);
  }
};

std::shared_ptr<Coroutine> body(Scripted::Script script, Scripted::Catch caught = nullptr) {
  return std::make_shared<Scripted>(std::move(script), std::move(caught));
}

/// The numbers of the tasks are 1, 2, 3, ... in the order of these calls.
TaskId add(Scheduler& scheduler, Scripted::Script script, Scripted::Catch caught = nullptr) {
  return scheduler.new_task(body(std::move(script), std::move(caught)));
}

/// Yields these, one by one, each inside a `try`, and writes down how each yield ends.
std::shared_ptr<Coroutine> careful(Log& log, const std::string& name, std::vector<Yielded> steps) {
  const auto step = [steps](int turn) -> std::optional<Yielded> {
    if (turn < static_cast<int>(steps.size())) return steps[static_cast<std::size_t>(turn)];
    return std::nullopt;
  };
  return body(
      [&log, name, step](int turn, const Value&) {
        if (turn > 0) log.push_back(name + " continues");
        return step(turn);
      },
      [&log, name, step](int turn, const std::exception_ptr& error) {
        log.push_back(name + " catches " + word(error));
        return step(turn);
      });
}

/// Yields `yields` times, and then writes a line.
Scripted::Script working(Log& log, const std::string& last, int yields) {
  return [&log, last, yields](int turn, const Value&) -> std::optional<Yielded> {
    if (turn < yields) return Nothing{};
    log.push_back(last);
    return std::nullopt;
  };
}

/// A form that throws.
template <typename Error>
SystemCall failing(Error error) {
  return [error](TaskId, Scheduler&) { throw error; };
}

/// Yields `yields` times, and then throws.
template <typename Error>
Scripted::Script throwing(Error error, int yields = 0) {
  return [error, yields](int turn, const Value&) -> std::optional<Yielded> {
    if (turn < yields) return Nothing{};
    throw error;
  };
}

/// Writes to the log when the body that owns it is destroyed.
std::shared_ptr<void> witness(Log& log, const std::string& text) {
  return std::shared_ptr<void>(nullptr, [&log, text](void*) { log.push_back(text); });
}

/// What the process writes to stderr while a function runs, however it writes it.
std::string errors_of(const std::function<void()>& function) {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file);
  std::fflush(stderr);
  const int before = ::dup(2);
  ::dup2(::fileno(file), 2);
  std::string thrown_by_it;
  try {
    function();
  } catch (...) {
    thrown_by_it = "run() has thrown";
  }
  std::fflush(stderr);
  ::dup2(before, 2);
  ::close(before);
  std::rewind(file);
  std::string text = thrown_by_it;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

bool is_one_line(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n') == 1 && text.back() == '\n';
}

/// A generator that isn't a task. It yields 1, 2, 3, and catches what is thrown at its first yield.
class Numbers final : public Generator<int, int> {
 public:
  explicit Numbers(Log& log) : log_(log) {}

 private:
  Log& log_;
  int i_ = 0;

  std::optional<int> resume(int) override {
    log_.push_back("resumed");
    if (i_ == 3) return std::nullopt;
    return ++i_;
  }
  std::optional<int> resume_with_exception(std::exception_ptr error) override {
    log_.push_back("gets " + word(error));
    if (i_ > 1) std::rethrow_exception(error);
    return resume(0);
  }
};

/// Calls itself until `depth` is 0, and throws there. It catches nothing.
class Nested final : public Coroutine {
 public:
  Nested(int depth, int& exist) : depth_(depth), exist_(exist) { ++exist_; }
  ~Nested() override { --exist_; }

 private:
  int depth_;
  int& exist_;

  std::optional<Yielded> resume(Value) override {
    if (depth_ == 0) throw Torn{42};
    return Call{std::make_shared<Nested>(depth_ - 1, exist_)};
  }
};

}  // namespace

TEST_CASE("throw_into() resumes a body at its yield, and returns what it yields next") {
  Log log;
  Numbers numbers(log);
  REQUIRE(*numbers.current() == 1);
  REQUIRE(*numbers.throw_into(std::make_exception_ptr(Broken{7})) == 2);
  REQUIRE(*numbers.current() == 2);
  REQUIRE(log == Log{"resumed", "gets broken 7", "resumed"});
  REQUIRE_THROWS_AS(numbers.rewind(), std::logic_error);
}

TEST_CASE("throw_into() runs a new body to its first yield before") {
  Log log;
  Numbers numbers(log);
  REQUIRE(*numbers.throw_into(std::make_exception_ptr(5)) == 2);
  REQUIRE(log == Log{"resumed", "gets int 5", "resumed"});
}

TEST_CASE("what a body doesn't catch reaches the caller, and the body has finished") {
  Log log;
  Numbers numbers(log);
  numbers.send(0);
  REQUIRE(thrown([&] { numbers.throw_into(std::make_exception_ptr(Torn{8})); }) == "torn 8");
  REQUIRE_FALSE(numbers.valid());
  REQUIRE_FALSE(numbers.current().has_value());
  REQUIRE_FALSE(numbers.send(0).has_value());
  REQUIRE(log == Log{"resumed", "resumed", "gets torn 8"});
}

TEST_CASE("throw_into() a body that has finished throws, and resumes nothing") {
  Log log;
  Numbers numbers(log);
  for (int i = 0; i < 3; ++i) numbers.next();
  REQUIRE_FALSE(numbers.valid());
  REQUIRE(thrown([&] { numbers.throw_into(std::make_exception_ptr(Broken{9})); }) == "broken 9");
  REQUIRE(thrown([&] { numbers.throw_into(std::make_exception_ptr(5)); }) == "int 5");
  REQUIRE(log.size() == 4);
}

TEST_CASE("killing a task that doesn't exist throws into the task that asks, and it continues") {
  Log log;
  Scheduler scheduler;
  add(scheduler, working(log, "finished", 0));
  scheduler.new_task(careful(log, "b", {Nothing{}, kill_task(1), kill_task(500), Nothing{}}));
  REQUIRE(errors_of([&] { scheduler.run(); }) == "");
  REQUIRE(log == Log{"finished", "b continues", "b catches invalid_argument",
                     "b catches invalid_argument", "b continues"});
}

TEST_CASE("a killed task gets no further turn, and what it owns is destroyed before the next one") {
  Log log;
  Scheduler scheduler;
  auto owned = witness(log, "destroyed");
  add(scheduler, [owned, &log](int turn, const Value&) -> std::optional<Yielded> {
    log.push_back("turn " + std::to_string(turn));
    return Nothing{};
  });
  owned.reset();
  scheduler.new_task(careful(log, "b", {Nothing{}, kill_task(1)}));
  add(scheduler, [](int turn, const Value&) -> std::optional<Yielded> {
    if (turn == 0) return kill_task(3);  // itself
    throw Broken{turn};
  });
  REQUIRE(errors_of([&] { scheduler.run(); }) == "");
  REQUIRE(log == Log{"turn 0", "turn 1", "b continues", "destroyed", "b continues"});
}

TEST_CASE("what a form throws is thrown into the task that yielded it, in its type") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(careful(log, "a", {failing(Broken{1}), get_task_id(), failing(5)}));
  scheduler.new_task(careful(log, "b", {failing(Torn{2}), failing(Broken{3})}));
  REQUIRE(errors_of([&] { scheduler.run(); }) == "");
  REQUIRE(log == Log{"a catches broken 1", "b catches torn 2", "a continues", "b catches broken 3",
                     "a catches int 5"});
}

TEST_CASE("a task whose form has failed is in the queue once") {
  Log log;
  Scheduler scheduler;
  const SystemCall sleep = [](TaskId, Scheduler&) {};
  scheduler.new_task(careful(log, "a", {kill_task(500), wait_task(3), kill_task(501), sleep}));
  scheduler.new_task(careful(log, "b", {failing(Broken{1}), wait_task(3), sleep}));
  add(scheduler, working(log, "the work has finished", 5));
  scheduler.run();
  REQUIRE(log == Log{"a catches invalid_argument", "b catches broken 1", "the work has finished",
                     "a continues", "b continues", "a catches invalid_argument"});
}

TEST_CASE("a form kills the task that yielded it, and then throws: nobody is left to hear it") {
  Log log;
  Scheduler scheduler;
  const SystemCall form = [](TaskId task, Scheduler& its_scheduler) {
    kill_task(task)(task, its_scheduler);
    throw Broken{1};
  };
  scheduler.new_task(careful(log, "a", {form}));
  add(scheduler, working(log, "the work has finished", 3));
  REQUIRE(errors_of([&] { scheduler.run(); }) == "");
  REQUIRE(log == Log{"the work has finished"});
}

TEST_CASE("what a callee doesn't catch is thrown into its caller, which continues") {
  Log log;
  Scheduler scheduler;
  const auto call = [&](int number) { return Call{body(throwing(Broken{number}, number))}; };
  scheduler.new_task(careful(log, "a", {call(0), call(1), Nothing{}, call(2)}));
  scheduler.new_task(careful(log, "b", {call(1), call(0)}));
  REQUIRE(errors_of([&] { scheduler.run(); }) == "");
  REQUIRE(log == Log{"a catches broken 0", "a catches broken 1", "b catches broken 1",
                     "b catches broken 0", "a continues", "a catches broken 2"});
}

TEST_CASE("callee before caller, then the catch, and all in one turn") {
  Log log;
  Scheduler scheduler;
  {
    auto inner = witness(log, "inner destroyed"), middle = witness(log, "middle destroyed");
    const auto throws = body([inner](int turn, const Value&) -> std::optional<Yielded> {
      if (turn == 0) return Nothing{};
      throw Torn{3};
    });
    auto once = std::make_shared<std::shared_ptr<Coroutine>>(throws);
    const auto calls =
        body([middle, once](int, const Value&) { return Call{std::exchange(*once, nullptr)}; });
    auto outer_once = std::make_shared<std::shared_ptr<Coroutine>>(calls);
    add(
        scheduler,
        [outer_once](int, const Value&) { return Call{std::exchange(*outer_once, nullptr)}; },
        [&log](int, const std::exception_ptr& error) -> std::optional<Yielded> {
          log.push_back("catches " + word(error));
          return std::nullopt;
        });
  }
  add(scheduler, [&](int turn, const Value&) -> std::optional<Yielded> {
    log.push_back("b");
    if (turn == 0) return Nothing{};
    return std::nullopt;
  });
  scheduler.run();
  REQUIRE(log == Log{"b", "inner destroyed", "middle destroyed", "catches torn 3", "b"});
}

TEST_CASE("the caller in the middle catches, and returns a value to the outermost") {
  Log log;
  Scheduler scheduler;
  const auto middle = [] {
    return body([](int, const Value&) { return Call{body(throwing(Broken{1}))}; },
                [](int, const std::exception_ptr& error) -> std::optional<Yielded> {
                  return ReturnValue{word(error)};
                });
  };
  add(scheduler, [&](int turn, const Value& sent) -> std::optional<Yielded> {
    if (turn == 0) return Call{middle()};
    log.push_back("got " + std::any_cast<std::string>(sent));
    return std::nullopt;
  });
  scheduler.run();
  REQUIRE(log == Log{"got broken 1"});
}

TEST_CASE("what a form of a callee throws is thrown into the callee first") {
  Log log;
  Scheduler scheduler;
  const auto inner = careful(log, "inner", {kill_task(500), failing(Broken{4}), get_task_id()});
  scheduler.new_task(careful(log, "outer", {Call{inner}}));
  scheduler.run();
  REQUIRE(log == Log{"inner catches invalid_argument", "inner catches broken 4", "inner continues",
                     "outer continues"});
}

TEST_CASE("an exception that nobody catches ends one task, with one line on stderr") {
  Log log;
  Scheduler scheduler;
  auto owned = witness(log, "destroyed");
  add(scheduler, working(log, "a has finished", 3));
  add(scheduler, [owned](int turn, const Value&) -> std::optional<Yielded> {
    if (turn == 0) return Call{body(throwing(Torn{1}, 1))};
    return std::nullopt;
  });
  owned.reset();
  scheduler.new_task(careful(log, "c", {wait_task(2)}));
  add(scheduler, working(log, "d has finished", 3));
  const std::string errors = errors_of([&] { scheduler.run(); });
  REQUIRE(log == Log{"destroyed", "c continues", "a has finished", "d has finished"});
  REQUIRE(is_one_line(errors));
  REQUIRE(errors.find("a page is torn") != std::string::npos);
  REQUIRE(errors.find('2') != std::string::npos);
}

TEST_CASE("an exception that is no std::exception ends one task, too, and isn't silent") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(careful(log, "a", {wait_task(2)}));
  add(scheduler, throwing(5));
  add(scheduler, working(log, "c has finished", 3));
  const std::string errors = errors_of([&] { scheduler.run(); });
  REQUIRE(log == Log{"a continues", "c has finished"});
  REQUIRE(is_one_line(errors));
}

TEST_CASE("a form that fails and isn't caught ends its task in the next turn") {
  Log log;
  Scheduler scheduler;
  const SystemCall form = failing(Torn{1});
  add(scheduler, [&](int turn, const Value&) -> std::optional<Yielded> {
    log.push_back("a" + std::to_string(turn));
    return form;
  });
  add(scheduler, working(log, "b has finished", 1));
  scheduler.new_task(careful(log, "c", {wait_task(1)}));
  REQUIRE(is_one_line(errors_of([&] { scheduler.run(); })));
  REQUIRE(log == Log{"a0", "b has finished", "c continues"});
}

TEST_CASE("all who wait for a task continue when it fails, finishes or is killed") {
  Log log;
  Scheduler scheduler;
  add(scheduler, throwing(Broken{1}, 2));
  add(scheduler, working(log, "2 has finished", 4));
  add(scheduler, working(log, "3 has run", 1000));
  scheduler.new_task(careful(log, "d", {wait_task(3), wait_task(500), wait_task(4)}));
  scheduler.new_task(careful(log, "e", {wait_task(1), wait_task(2), kill_task(3)}));
  scheduler.new_task(careful(log, "f", {wait_task(1), wait_task(2)}));
  errors_of([&] { scheduler.run(); });
  std::vector<std::string> sorted = log;
  std::sort(sorted.begin(), sorted.end());
  REQUIRE(sorted == Log{"2 has finished", "d continues", "d continues", "d continues",
                        "e continues", "e continues", "e continues", "f continues", "f continues"});
  REQUIRE(std::vector<std::string>(log.begin(), log.begin() + 3) ==
          Log{"e continues", "f continues", "2 has finished"});
}

TEST_CASE("a task that is killed while it waits is not missed") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(careful(log, "a", {wait_task(2)}));
  add(scheduler, working(log, "the work has finished", 4));
  scheduler.new_task(careful(log, "c", {Nothing{}, kill_task(1)}));
  scheduler.new_task(careful(log, "d", {wait_task(2)}));
  REQUIRE(errors_of([&] { scheduler.run(); }) == "");
  REQUIRE(log == Log{"c continues", "c continues", "the work has finished", "d continues"});
}

TEST_CASE("an exception passes 100 000 callers, and keeps its type") {
  Log log;
  int exist = 0;
  Scheduler scheduler;
  scheduler.new_task(careful(log, "a", {Call{std::make_shared<Nested>(100000, exist)}}));
  scheduler.run();
  REQUIRE(log == Log{"a catches torn 42"});
  REQUIRE(exist == 0);
}

TEST_CASE("a task catches 100 000 exceptions, one after the other") {
  int caught = 0, wrong = 0;
  Scheduler scheduler;
  const auto next = [&]() -> std::optional<Yielded> {
    if (caught + wrong == 100000) return std::nullopt;
    if (caught % 2 == 0) return kill_task(500);
    return Call{body(throwing(Broken{caught}))};
  };
  add(
      scheduler, [&](int turn, const Value&) { return turn == 0 ? next() : (++wrong, next()); },
      [&](int, const std::exception_ptr& error) {
        const std::string expected =
            caught % 2 == 0 ? "invalid_argument" : "broken " + std::to_string(caught);
        ++(word(error) == expected ? caught : wrong);
        return next();
      });
  scheduler.run();
  REQUIRE(caught == 100000);
}
