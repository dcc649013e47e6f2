#include <any_catch2.hpp>
#include <cstddef>
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

/// Yields `turns` times. Then it calls a function, and finishes.
class Work final : public Coroutine {
 public:
  Work(int turns, std::function<void()> end) : turns_(turns), end_(std::move(end)) {}

 private:
  int turns_;
  std::function<void()> end_;

  std::optional<Yielded> resume(Value) override {
    if (turns_-- > 0) return Nothing{};  // yield
    end_();
    return std::nullopt;
  }
};

/// An exception of our own, with a number.
struct NoGas : std::runtime_error {
  explicit NoGas(int oven) : std::runtime_error("no gas"), number(oven) {}
  int number;
};

/// Never wakes its task.
SystemCall wait_forever() {
  return [](TaskId, Scheduler&) {};
}

/// Yields one system call inside a `try`, and notes its result. Then it waits forever.
class Asker final : public Coroutine {
 public:
  Asker(std::string name, SystemCall call, Log& log)
      : name_(std::move(name)), call_(std::move(call)), log_(log) {}

 private:
  enum class State { start, in_try, waiting_forever };
  State state_ = State::start;
  std::string name_;
  SystemCall call_;
  Log& log_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      state_ = State::in_try;
      return call_;  // try { yield call }
    case State::in_try:
      log_.push_back(name_ + " continues");
      state_ = State::waiting_forever;
      return wait_forever();  // yield wait_forever()
    case State::waiting_forever:
      log_.push_back(name_ + " is woken once more");
    }
    return std::nullopt;
  }

  std::optional<Yielded> resume_with_exception(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const NoGas& e) {
      log_.push_back(name_ + " catches NoGas " + std::to_string(e.number));
    } catch (const std::exception& e) {
      log_.push_back(name_ + " catches " + e.what());
    } catch (int number) {
      log_.push_back(name_ + " catches " + std::to_string(number));
    }
    state_ = State::waiting_forever;
    return wait_forever();  // yield wait_forever(), after the try
  }
};

/// Runs the tasks, and moves the text that they print to stderr into `printed`.
void run(Scheduler& scheduler, Log& log, std::string* printed) {
  std::ostringstream errors;
  std::streambuf* const before = std::cerr.rdbuf(errors.rdbuf());
  try {
    scheduler.run();
  } catch (...) {
    log.emplace_back("run() has thrown");
  }
  std::cerr.rdbuf(before);
  if (printed) *printed = errors.str();
}

/// Runs a task that calls `end` in its fourth turn as task 1, and an asker for each of `calls`: A
/// as task 2, B as task 3 and so on. Returns what the askers have noted.
Log log_of(std::function<void()> end, std::vector<SystemCall> calls,
           std::string* printed = nullptr) {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Work>(3, std::move(end)));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::string name(1, static_cast<char>('A' + i));
    scheduler.new_task(std::make_shared<Asker>(name, calls[i], log));
  }
  run(scheduler, log, printed);
  return log;
}

void fail() {
  throw std::runtime_error("no gas");
}
void finish() {}

}  // namespace

TEST_CASE("the exception is thrown into the task that waits") {
  CHECK(log_of(fail, {wait_task(1)}) == Log{"A catches no gas"});
}

TEST_CASE("the exception is thrown into all tasks that wait, in their order") {
  CHECK(log_of(fail, {wait_task(1), wait_task(1)}) == Log{"A catches no gas", "B catches no gas"});
}

TEST_CASE("an exception of any type is thrown into the task that waits") {
  CHECK(log_of([] { throw 5; }, {wait_task(1)}) == Log{"A catches 5"});
}

TEST_CASE("the exception that is thrown into the task that waits has the same type") {
  CHECK(log_of([] { throw NoGas(7); }, {wait_task(1)}) == Log{"A catches NoGas 7"});
}

TEST_CASE("the exception is thrown into no task that waits for another task") {
  CHECK(log_of(fail, {wait_task(1), wait_task(2)}) == Log{"A catches no gas"});
}

TEST_CASE("the exception is thrown into no task that only waits for its turn") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Work>(3, fail));
  scheduler.new_task(std::make_shared<Work>(9, [&] { log.emplace_back("finishes"); }));
  std::string printed;
  run(scheduler, log, &printed);
  CHECK(log == Log{"finishes"});
  CHECK(printed == "Task 1 failed: no gas\n");
}

TEST_CASE("the failure is reported once on stderr") {
  std::string printed;
  log_of(fail, {wait_task(1), wait_task(1)}, &printed);
  CHECK(printed == "Task 1 failed: no gas\n");
}

TEST_CASE("waiting for a task returns when that task finishes") {
  CHECK(log_of(finish, {wait_task(1)}) == Log{"A continues"});
}

TEST_CASE("waiting for a task returns when that task is killed") {
  CHECK(log_of(fail, {wait_task(1), kill_task(1)}) == Log{"A continues", "B continues"});
}

TEST_CASE("a task that is killed while it waits is not woken by the failure") {
  CHECK(log_of(fail, {wait_task(1), kill_task(2)}) == Log{"B continues"});
}
