#include <any_catch2.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "process.hpp"

namespace {

using Log = std::vector<std::string>;

/// Writes to the log when it is destroyed.
class Local {
 public:
  explicit Local(Log* log) : log_(log) {}
  Local(const Local&) = delete;
  ~Local() { log_->push_back("callee is destroyed"); }

 private:
  Log* log_;
};

Coroutine<std::string> callee(Log* log, int turns) {
  const Local local(log);
  for (int i = 0; i < turns; ++i) {
    co_yield nothing;
  }
  log->push_back("callee returns");
  co_return "x";
}

Coroutine<> caller(Log* log, int turns) {
  const std::string text = co_await callee(log, turns);
  log->push_back("caller got " + text);
}

Coroutine<> other(Log* log) {
  log->push_back("other task");
  co_return;
}

Coroutine<int> nested(int depth) {
  int calls = 0;
  if (depth > 0) {
    calls = co_await nested(depth - 1);
  }
  co_return calls + 1;
}

Coroutine<> count_calls(int depth, int* result) {
  *result = co_await nested(depth);
}

Coroutine<> nothing_to_return(Log* log) {
  log->push_back("callee");
  co_return;
}

Coroutine<> calls_twice(Log* log, Coroutine<> coroutine) {
  co_await std::move(coroutine);
  try {
    co_await std::move(coroutine);
  } catch (const std::logic_error&) {
    log->push_back("refused");
  }
}

void run(Coroutine<> coroutine) {
  Scheduler scheduler;
  scheduler.new_task(std::move(coroutine));
  scheduler.run();
}

}  // namespace

TEST_CASE("a call returns the value of the callee, which is destroyed before") {
  const int turns = GENERATE(0, 1, 2);
  Log log;
  run(caller(&log, turns));
  REQUIRE(log == Log{"callee returns", "callee is destroyed", "caller got x"});
}

TEST_CASE("a call takes no turn") {
  Log log;
  Scheduler scheduler;
  scheduler.new_task(caller(&log, 0));
  scheduler.new_task(other(&log));
  scheduler.run();
  REQUIRE(log == Log{"callee returns", "callee is destroyed", "caller got x", "other task"});
}

TEST_CASE("a million nested calls return") {
  int result = 0;
  run(count_calls(1000000, &result));
  REQUIRE(result == 1000001);
}

TEST_CASE("a second call of the same coroutine throws") {
  Log log;
  run(calls_twice(&log, nothing_to_return(&log)));
  REQUIRE(log == Log{"callee", "refused"});
}
