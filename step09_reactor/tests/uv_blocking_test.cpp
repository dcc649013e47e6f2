#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "coop/uv/blocking.hpp"
#include "coop/uv/process.hpp"
#include "uv_world.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

template <typename T>
Coroutine<> call(Log* out, std::function<T()> function) {
  const T result = co_await blocking(std::move(function));
  out->push_back(std::to_string(result));
}

/// SlowWork that counts when it begins, and ends when it may.
struct SlowWork {
  void operator()() const {
    ++*begun;
    may_end.wait();
    compute(20ms);
    if (posts_to) posts_to->post([] {});
    ++*ended;
  }

  std::shared_future<void> may_end;
  std::atomic<int>* begun;
  std::atomic<int>* ended;
  UvReactor* posts_to = nullptr;
};

/// Begins so much work, and cancels all of it when some has begun.
Coroutine<> cancel_work(Log* out, SlowWork work, int pieces) {
  std::vector<Handle<void>> tasks;
  for (int i = 0; i < pieces; ++i) tasks.push_back(spawn(outcome(out, "work", blocking(work))));
  while (*work.begun == 0) {
    co_await suspend();
  }
  for (const Handle<void>& task : tasks) task->cancel();
}

Coroutine<int> square(int n) {
  const auto work = [n] { return n * n; };
  co_return co_await blocking(work);
}

/// The function runs on, and with it what it owns.
Coroutine<> cancel_work_with_child(std::shared_future<void> end) {
  auto child = std::make_shared<Process>(std::vector<std::string>{"cat"}, Stdio::pipe);
  const auto work = [child = std::move(child), end = std::move(end)] { end.wait(); };
  const Handle<void> working = spawn(blocking(work));
  co_await delay(1ms);
  working->cancel();
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "work in another thread gives its result or its error", "[step09]") {
  const std::thread::id here = std::this_thread::get_id();
  scheduler.run(call<int>(&log, [here] { return std::this_thread::get_id() == here ? 1 : 2; }));
  scheduler.run(outcome(&log, "error", call<int>(&log, []() -> int {
    throw std::runtime_error("it failed there");
  })));
  bool done = false;
  scheduler.run(outcome(&log, "nothing", blocking([&done] { done = true; })));
  REQUIRE(done);
  REQUIRE(log == Log{"2", "error: it failed there", "nothing: done"});
}

TEST_CASE_METHOD(UvWorld, "there may be more work than threads", "[step09]") {
  std::vector<Handle<int>> tasks;
  for (int i = 0; i < 100; ++i) tasks.push_back(scheduler.spawn(square(i)));
  int sum = 0;
  scheduler.run([](std::vector<Handle<int>>* all, int* to) -> Coroutine<> {
    for (const Handle<int>& task : *all) {
      const int result = co_await task;
      *to += result;
    }
  }(&tasks, &sum));
  REQUIRE(sum == 328350);
}

TEST_CASE("work that is cancelled ends in its thread or never begins", "[step09]") {
  const NothingLeft nothing_left;
  const NoDescriptorLeft no_descriptor_left;
  const int pieces = GENERATE(1, 12);
  std::atomic<int> begun = 0, ended = 0;
  std::promise<void> end;
  Log log;
  {
    UvReactor reactor;
    Scheduler scheduler(reactor);
    scheduler.run(cancel_work(&log, SlowWork{end.get_future().share(), &begun, &ended}, pieces));
    REQUIRE(ended == 0);
    end.set_value();
  }
  REQUIRE(log == Log(static_cast<std::size_t>(pieces), "work: cancelled: cancelled"));
  REQUIRE(ended == begun);
  if (pieces > 1) REQUIRE(begun < pieces);
}

TEST_CASE("work that is cancelled may post until the reactor is gone", "[step09]") {
  const NothingLeft nothing_left;
  std::atomic<int> begun = 0, ended = 0;
  std::promise<void> end;
  Log log;
  {
    UvReactor reactor;
    Scheduler scheduler(reactor);
    const SlowWork work{end.get_future().share(), &begun, &ended, &reactor};
    scheduler.run(cancel_work(&log, work, 1));
    end.set_value();
  }
  REQUIRE(ended == 1);
}

TEST_CASE("work that is cancelled may own a child until the reactor is gone", "[step09]") {
  const NothingLeft nothing_left;
  const NoDescriptorLeft no_descriptor_left;
  std::promise<void> end;
  std::thread late;
  {
    UvReactor reactor;
    Scheduler scheduler(reactor);
    scheduler.run(cancel_work_with_child(end.get_future().share()));
    late = std::thread([&end] {
      std::this_thread::sleep_for(20ms);  // by then the reactor waits for its threads
      end.set_value();
    });
  }
  late.join();
}

TEST_CASE_METHOD(UvWorld, "a wait for another thread is cancelled, ended in time, and destroyed",
                 "[step09]") {
  std::promise<void> end;
  const std::function<void()> work = [may_end = end.get_future().share()] { may_end.wait(); };
  check_contract(this, keep_contract(&log, [work] { return blocking(work); }));
  end.set_value();
}
