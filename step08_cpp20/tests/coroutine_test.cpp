#include "coroutine.hpp"

#include <algorithm>
#include <any>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "process.hpp"

namespace {

using Log = std::vector<std::string>;

/// Writes its name down when it goes.
class Noisy {
 public:
  Noisy(Log* log, std::string name) : log_(log), name_(std::move(name)) {}
  Noisy(const Noisy&) = delete;
  ~Noisy() { log_->push_back(name_ + " gone"); }

 private:
  Log* log_;
  std::string name_;
};

void run(Coroutine<> body) {
  Scheduler scheduler;
  scheduler.new_task(std::move(body));
  scheduler.run();
}

Coroutine<std::string> text(std::string result) {
  co_return result;
}

Coroutine<int> failing(int turns) {
  for (int i = 0; i < turns; ++i) {
    co_yield nothing;
  }
  throw std::runtime_error("from inside");
}

}  // namespace

TEST_CASE("a frame cannot be copied, so there is no fork", "[step08]") {
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<Coroutine<>>);
  STATIC_REQUIRE_FALSE(std::is_copy_assignable_v<Coroutine<>>);
  STATIC_REQUIRE(std::is_nothrow_move_constructible_v<Coroutine<>>);
}

TEST_CASE("making a coroutine runs nothing, and it can be dropped", "[step08]") {
  Log log;
  const auto argument = std::make_shared<int>(7);
  const auto body = [](Log* out, std::shared_ptr<int>) -> Coroutine<> {
    out->push_back("runs");
    co_return;
  };
  {
    const Coroutine<> made = body(&log, argument);
    REQUIRE(argument.use_count() == 2);
  }
  REQUIRE(argument.use_count() == 1);
  REQUIRE(log.empty());
}

TEST_CASE("awaiting none, one moved away, or one awaited before, throws into the caller",
          "[step08]") {
  Log log;
  const auto body = [](Log* out) -> Coroutine<> {
    Coroutine<std::string> once = text("first");
    for (int i = 0; i < 2; ++i) {
      try {
        std::string result = co_await std::move(once);
        out->push_back(result);
      } catch (const std::invalid_argument& e) {
        out->push_back(e.what());
      }
    }
    Coroutine<std::string> away = text("second");
    const Coroutine<std::string> kept = std::move(away);
    try {
      co_await std::move(away);
    } catch (const std::invalid_argument& e) {
      out->push_back(e.what());
    }
    co_await Coroutine<>();
  };
  Scheduler scheduler;
  std::string uncaught;
  scheduler.on_uncaught([&](TaskId, std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::invalid_argument& e) {
      uncaught = e.what();
    }
  });
  scheduler.new_task(body(&log));
  scheduler.run();
  REQUIRE(log == Log{"first", "There is no coroutine to call", "There is no coroutine to call"});
  REQUIRE(uncaught == "There is no coroutine to call");
}

TEST_CASE("a coroutine that is already a task cannot be made one again", "[step08]") {
  Scheduler scheduler;
  Coroutine<> body = [](int) -> Coroutine<> { co_return; }(0);
  scheduler.new_task(std::move(body));
  REQUIRE_THROWS_AS(scheduler.new_task(std::move(body)), std::invalid_argument);
}

TEST_CASE("locals go at the end of their scope, not with the frame", "[step08]") {
  Log log;
  run([](Log* out) -> Coroutine<> {
    {
      const Noisy inner(out, "inner");
      co_yield nothing;
    }
    out->push_back("after the scope");
    co_yield nothing;
    out->push_back("end");
  }(&log));
  REQUIRE(log == Log{"inner gone", "after the scope", "end"});
}

TEST_CASE("a suspended coroutine that is destroyed destroys its locals, last first, once",
          "[step08]") {
  Log log;
  const auto inner = [](Log* out) -> Coroutine<int> {
    const Noisy c(out, "c");
    const Noisy d(out, "d");
    co_yield nothing;
    out->push_back("never");
    co_return 1;
  };
  const auto outer = [](Log* out, Coroutine<int> callee) -> Coroutine<> {
    const Noisy a(out, "a");
    const Noisy b(out, "b");
    const int never = co_await std::move(callee);
    out->push_back(std::to_string(never));
  };
  Scheduler scheduler;
  const auto killer = []() -> Coroutine<> { co_await kill_task(1); };
  const Log gone{"d gone", "c gone", "b gone", "a gone"};
  SECTION("killed") {
    scheduler.new_task(outer(&log, inner(&log)));
    scheduler.new_task(killer());
    scheduler.run();
    REQUIRE(log == gone);
  }
  SECTION("with the scheduler") {
    {
      Scheduler shorter;
      shorter.new_task(outer(&log, inner(&log)));
      shorter.new_task([](Scheduler* s) -> Coroutine<> {
        s->on_uncaught([](TaskId, std::exception_ptr e) { std::rethrow_exception(e); });
        throw std::runtime_error("ends run");
        co_return;
      }(&shorter));
      REQUIRE_THROWS_WITH(shorter.run(), "ends run");
      REQUIRE(log.empty());
    }
    REQUIRE(log == gone);
  }
}

TEST_CASE("an exception destroys what it passes, once, and arrives where the callee is awaited",
          "[step08]") {
  const int turns = GENERATE(0, 1, 2);
  Log log;
  run([](Log* out, int count) -> Coroutine<> {
    const Noisy a(out, "a");
    try {
      const Noisy b(out, "b");
      const int never = co_await failing(count);
      out->push_back(std::to_string(never));
    } catch (const std::runtime_error& e) {
      out->push_back(e.what());
    }
    co_yield nothing;
    out->push_back("goes on");
  }(&log, turns));
  REQUIRE(log == Log{"b gone", "from inside", "goes on", "a gone"});
}

TEST_CASE("an exception beside temporaries that wait for their call destroys each once",
          "[step08]") {
  Log log;
  const auto guard = [](Log* out, const std::string& name) {
    return std::make_unique<Noisy>(out, name);
  };
  const auto callee = [](std::unique_ptr<Noisy>, std::unique_ptr<Noisy>, int) -> Coroutine<> {
    co_return;
  };
  run([](Log* out, auto make, auto call) -> Coroutine<> {
    try {
      std::unique_ptr<Noisy> one = make(out, "1");
      std::unique_ptr<Noisy> two = make(out, "2");
      co_await call(std::move(one), std::move(two), std::stoi("no number"));
    } catch (const std::invalid_argument&) {
      out->push_back("caught");
    }
  }(&log, guard, callee));
  REQUIRE(log.size() == 3);
  REQUIRE(log.back() == "caught");
}

TEST_CASE("a coroutine returns what can only be moved, and what has no default", "[step08]") {
  struct NoDefault {
    explicit NoDefault(int n) : value(n) {}
    int value;
  };
  int sum = 0;
  const auto box = []() -> Coroutine<std::unique_ptr<int>> { co_return std::make_unique<int>(4); };
  const auto plain = []() -> Coroutine<NoDefault> { co_return NoDefault(3); };
  run([](auto first, auto second, int* out) -> Coroutine<> {
    const std::unique_ptr<int> four = co_await first();
    const NoDefault three = co_await second();
    *out = *four + three.value;
  }(box, plain, &sum));
  REQUIRE(sum == 7);
}

TEST_CASE("an answer of another type than the call promises throws into the caller", "[step08]") {
  Log log;
  run([](Log* out) -> Coroutine<> {
    const auto answers_a_text = [](Task& task, Scheduler& scheduler) {
      task.set_send_value(std::string("seven"));
      scheduler.schedule(task);
    };
    SystemCall<int> call(answers_a_text);
    try {
      const int never = co_await call;
      out->push_back(std::to_string(never));
    } catch (const std::bad_any_cast&) {
      out->push_back("caught");
    }
  }(&log));
  REQUIRE(log == Log{"caught"});
}

TEST_CASE("a system call is made once", "[step08]") {
  Log log;
  run([](Log* out) -> Coroutine<> {
    SystemCall<TaskId> call = get_task_id();
    for (int i = 0; i < 2; ++i) {
      try {
        const TaskId id = co_await call;
        out->push_back(std::to_string(id));
      } catch (const std::logic_error& e) {
        out->push_back(e.what());
      }
    }
  }(&log));
  REQUIRE(log == Log{"1", "This system call was made before"});
}

TEST_CASE("whenever it is killed, nothing is left", "[step08]") {
  Log log;
  const auto leaf = [](Log* out) -> Coroutine<int> {
    const Noisy c(out, "c");
    co_yield nothing;
    const TaskId id = co_await get_task_id();
    co_return static_cast<int>(id);
  };
  const auto middle = [](Log* out, auto callee) -> Coroutine<int> {
    const Noisy b(out, "b");
    const int one = co_await callee(out);
    co_yield nothing;
    const int other = co_await callee(out);
    co_return one + other;
  };
  const auto root = [](Log* out, auto callee, auto callees_callee) -> Coroutine<> {
    const Noisy a(out, "a");
    const int result = co_await callee(out, callees_callee);
    out->push_back(std::to_string(result));
  };
  const Log born{"c", "b", "a"};
  for (int turns = 0; turns <= 8; ++turns) {
    log.clear();
    {
      Task task(1, root(&log, middle, leaf));
      Scheduler scheduler;
      for (int i = 0; i < turns; ++i) {
        const std::optional<Request> request = task.run();
        if (request && *request) task.set_send_value(TaskId(1));
      }
    }
    const auto count = [&](const char* what) { return std::count(log.begin(), log.end(), what); };
    REQUIRE(count("a gone") == (turns > 0 ? 1 : 0));
    REQUIRE(count("b gone") == (turns > 0 ? 1 : 0));
    REQUIRE(count("c gone") == (turns == 0 ? 0 : turns < 4 ? 1 : 2));
    REQUIRE(count("2") == (turns > 5 ? 1 : 0));
  }
}
