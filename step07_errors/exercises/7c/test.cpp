#include <any_catch2.hpp>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "process.hpp"

namespace {

using Log = std::vector<std::string>;

/// Yields one system call inside a `try`, notes its result, and then takes one more turn.
class Caller final : public Coroutine {
 public:
  Caller(SystemCall call, Log& log) : call_(std::move(call)), log_(log) {}

 private:
  enum class State { start, in_try, yielded };
  State state_ = State::start;
  SystemCall call_;
  Log& log_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      state_ = State::in_try;
      return call_;  // try { yield call }
    case State::in_try:
      log_.emplace_back("returned");
      state_ = State::yielded;
      return Nothing{};  // yield
    case State::yielded:
      log_.emplace_back("finished");
    }
    return std::nullopt;
  }

  std::optional<Yielded> resume_with_exception(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      log_.emplace_back(e.what());
    } catch (...) {
      log_.emplace_back("not a std::exception");
    }
    state_ = State::yielded;
    return Nothing{};  // yield, after the try
  }
};

/// Throws in its second turn.
class Failing final : public Coroutine {
 public:
  explicit Failing(std::function<void()> fail) : fail_(std::move(fail)) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  std::function<void()> fail_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      state_ = State::yielded;
      return Nothing{};  // yield
    case State::yielded:
      fail_();
    }
    return std::nullopt;
  }
};

/// What the tasks have noted, and what has been printed to stderr.
struct Result {
  Log log;
  std::string errors;
};

/// Runs a failing task as task 1, and a task that yields `call` as task 2.
Result run_both(std::function<void()> fail, SystemCall call) {
  Result result;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Failing>(std::move(fail)));
  scheduler.new_task(std::make_shared<Caller>(std::move(call), result.log));
  std::ostringstream errors;
  std::streambuf* const before = std::cerr.rdbuf(errors.rdbuf());
  try {
    scheduler.run();
  } catch (...) {
    result.log.emplace_back("run() has thrown");
  }
  std::cerr.rdbuf(before);
  result.errors = errors.str();
  if (scheduler.find(1)) result.log.emplace_back("task 1 still exists");
  if (scheduler.find(2)) result.log.emplace_back("task 2 still exists");
  return result;
}

void do_nothing() {}
SystemCall failing_call() {
  return [](TaskId, Scheduler&) { throw std::runtime_error("disk full"); };
}

}  // namespace

TEST_CASE("a system call that succeeds returns as before") {
  const Result result = run_both(do_nothing, get_task_id());
  CHECK(result.log == Log{"returned", "finished"});
  CHECK(result.errors.empty());
}

TEST_CASE("an exception in a system call is thrown into its task, and the task continues") {
  const Result result = run_both(do_nothing, failing_call());
  CHECK(result.log == Log{"disk full", "finished"});
  CHECK(result.errors.empty());
}

TEST_CASE("a system call may throw an exception of any type") {
  const Result result = run_both(do_nothing, [](TaskId, Scheduler&) { throw 5; });
  CHECK(result.log == Log{"not a std::exception", "finished"});
}

TEST_CASE("an exception that escapes a task doesn't end another task") {
  const Result result = run_both([] { throw std::runtime_error("no disk"); }, get_task_id());
  CHECK(result.log == Log{"returned", "finished"});
}

TEST_CASE("an exception that escapes a task is reported on stderr") {
  const Result result = run_both([] { throw std::runtime_error("no disk"); }, get_task_id());
  CHECK(result.errors == "Task 1 failed: no disk\n");
}

TEST_CASE("an exception of any type may escape a task, and is reported") {
  const Result result = run_both([] { throw 5; }, get_task_id());
  CHECK(result.log == Log{"returned", "finished"});
  CHECK(result.errors == "Task 1 failed.\n");
}

TEST_CASE("waiting for a task returns when that task fails") {
  const Result result = run_both([] { throw std::runtime_error("no disk"); }, wait_task(1));
  CHECK(result.log == Log{"returned", "finished"});
}
