#include <any_catch2.hpp>
#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "coop/protect.hpp"
#include "coop/run.hpp"

using namespace coop;

/// A result that can't be created without a number. A copy has another number.
struct Number {
  explicit Number(int number) : value(number) {}
  Number(const Number& other) : value(other.value + 100) {}
  Number(Number&&) = default;
  int value;
};

namespace {

using Log = std::vector<std::string>;

Coroutine<> clean_up(Log* log) {
  log->push_back("clean-up begins");
  co_await yield();
  log->push_back("clean-up ends");
}

Coroutine<> fail_to_clean_up() {
  co_await yield();
  throw std::out_of_range("the drawer is stuck");
}

Coroutine<int> succeed(int result) {
  co_await yield();
  co_return result;
}

Coroutine<int> fail() {
  co_await yield();
  throw std::out_of_range("no such thing");
}

Coroutine<> fail_with_a_number() {
  co_await yield();
  throw 42;
}

Coroutine<Number> number() {
  co_await yield();
  co_return Number(7);
}

Coroutine<> sleep_long() {
  co_await sleep(std::chrono::hours(1));
}

Coroutine<> await_result(Log* log, Coroutine<int> coroutine) {
  try {
    const int result = co_await std::move(coroutine);
    log->push_back(std::to_string(result));
  } catch (const std::out_of_range& e) {
    log->push_back(e.what());
  }
}

Coroutine<> await_number(Log* log) {
  try {
    co_await with_finally(fail_with_a_number(), clean_up(log));
  } catch (int number) {
    log->push_back(std::to_string(number));
  }
}

Coroutine<> await_struct(Log* log) {
  const Number result = co_await with_finally(number(), clean_up(log));
  log->push_back(std::to_string(result.value));
}

/// Cancels with_finally() after some turns.
Coroutine<> cancel(Log* log, int turns) {
  const Handle<void> task = spawn(with_finally(sleep_long(), clean_up(log)));
  for (int i = 0; i < turns; ++i) {
    co_await yield();
  }
  task->cancel("enough");
  task->cancel("once more");
  try {
    co_await task;
  } catch (const Cancelled& cancelled) {
    log->push_back(cancelled.reason());
  }
}

/// Cancels with_finally() when the clean-up has begun.
Coroutine<> cancel_in_clean_up(Log* log, Coroutine<int> body) {
  const Handle<int> task = spawn(with_finally(std::move(body), clean_up(log)));
  for (int turns = 0; log->empty() && turns < 10; ++turns) {
    co_await yield();
  }
  task->cancel("too late");
  try {
    const int result = co_await task;
    log->push_back(std::to_string(result));
  } catch (const std::out_of_range& e) {
    log->push_back(e.what());
  }
}

}  // namespace

TEST_CASE("with_finally returns the result of the body after the clean-up") {
  Log log;
  run(await_result(&log, with_finally(succeed(7), clean_up(&log))));
  REQUIRE(log == Log{"clean-up begins", "clean-up ends", "7"});
}

TEST_CASE("the result of the body needs no default constructor, and is not copied") {
  Log log;
  run(await_struct(&log));
  REQUIRE(log == Log{"clean-up begins", "clean-up ends", "7"});
}

TEST_CASE("with_finally throws the exception of the body after the clean-up") {
  Log log;
  run(await_result(&log, with_finally(fail(), clean_up(&log))));
  REQUIRE(log == Log{"clean-up begins", "clean-up ends", "no such thing"});
}

TEST_CASE("with_finally throws exceptions of any type") {
  Log log;
  run(await_number(&log));
  REQUIRE(log == Log{"clean-up begins", "clean-up ends", "42"});
}

TEST_CASE("with_finally throws Cancelled after the clean-up") {
  const int turns = GENERATE(1, 2, 5);
  Log log;
  run(cancel(&log, turns));
  REQUIRE(log == Log{"clean-up begins", "clean-up ends", "enough"});
}

TEST_CASE("a clean-up that is cancelled after the body has returned continues to its end") {
  Log log;
  run(cancel_in_clean_up(&log, succeed(7)));
  REQUIRE(log == Log{"clean-up begins", "clean-up ends", "7"});
}

TEST_CASE("a clean-up that is cancelled after the body has thrown continues to its end") {
  Log log;
  run(cancel_in_clean_up(&log, fail()));
  REQUIRE(log == Log{"clean-up begins", "clean-up ends", "no such thing"});
}

TEST_CASE("with_finally throws an error of the clean-up after the body has returned") {
  Log log;
  run(await_result(&log, with_finally(succeed(7), fail_to_clean_up())));
  REQUIRE(log == Log{"the drawer is stuck"});
}

TEST_CASE("with_finally throws an error of the clean-up instead of that of the body") {
  Log log;
  run(await_result(&log, with_finally(fail(), fail_to_clean_up())));
  REQUIRE(log == Log{"the drawer is stuck"});
}
