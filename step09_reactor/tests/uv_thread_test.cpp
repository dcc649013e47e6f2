#include <atomic>
#include <future>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "coop/uv/process.hpp"
#include "coop/uv/thread.hpp"
#include "uv_world.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

constexpr int posts = 2000;

using Posts = std::vector<std::vector<int>>;  // of each thread

void post_all(UvReactor* reactor, Posts* into, std::atomic<int>* left, Trigger* done,
              std::size_t thread) {
  for (int i = 0; i < posts; ++i) {
    reactor->post([into, left, done, thread, i, poster = std::this_thread::get_id()] {
      const bool is_here = std::this_thread::get_id() != poster;
      (*into)[thread].push_back(is_here ? i : -1);
      if (--*left == 0) done->send();
    });
  }
}

Coroutine<> take_posts(UvReactor* reactor, Posts* into) {
  Trigger done;
  std::atomic<int> left = posts * static_cast<int>(into->size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < into->size(); ++i) {
    threads.emplace_back(post_all, reactor, into, &left, &done, i);
  }
  co_await done;
  for (std::thread& thread : threads) thread.join();
}

template <typename T>
Coroutine<> call(Log* out, std::function<T()> function) {
  const T result = co_await blocking(function);
  out->push_back(std::to_string(result));
}

Coroutine<> call_for_pointer(Log* out, std::unique_ptr<int> (*function)()) {
  const std::unique_ptr<int> result = co_await blocking(function);
  out->push_back(std::to_string(*result));
}

struct NotAssignable {
  const int number;
};

Coroutine<> call_for_constant(Log* out) {
  const auto function = +[] { return NotAssignable{4}; };
  const NotAssignable result = co_await blocking(function);
  out->push_back(std::to_string(result.number));
}

/// Counts when it begins, ends when it may, and counts again.
struct SlowWork {
  void operator()() const {
    ++*begun;
    may_end.wait();
    if (posts_to) posts_to->post([] {});
    ++*ended;
  }

  std::shared_future<void> may_end;
  std::atomic<int>* begun;
  std::atomic<int>* ended;
  UvReactor* posts_to;
};

/// Begins so much work, and cancels all of it when a part has begun.
Coroutine<> cancel_work(Log* out, SlowWork work, int pieces) {
  std::vector<Handle<void>> tasks;
  for (int i = 0; i < pieces; ++i) tasks.push_back(spawn(outcome(out, "work", blocking(work))));
  while (*work.begun == 0) {
    co_await yield();
  }
  for (const Handle<void>& task : tasks) task->cancel();
}

/// The function runs on, and it owns a child.
Coroutine<> cancel_work_with_child(SlowWork slow) {
  auto child = std::make_shared<Process>(std::vector<std::string>{"cat"}, Stdio::pipe);
  const auto work = [child = std::move(child), slow] { slow(); };
  const Handle<void> working = spawn(blocking(work));
  while (*slow.begun == 0) {
    co_await yield();
  }
  working->cancel();
}

using Capturing = decltype([text = std::string()] {});
template <typename F>
concept BlockingTakes = requires(F&& function) { blocking(std::forward<F>(function)); };

// g++ 12 would destroy what a temporary captures twice.
static_assert(BlockingTakes<Capturing&> && BlockingTakes<const Capturing&>);
static_assert(BlockingTakes<void (*)()> && !BlockingTakes<Capturing>);

}  // namespace

TEST_CASE_METHOD(UvWorld, "another thread wakes a task with a trigger", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Trigger trigger;
    const Handle<void> first = spawn(outcome(out, "1", until(&trigger)));
    const Handle<void> second = spawn(outcome(out, "2", until(&trigger)));
    const Handle<void> third = spawn(outcome(out, "3", until(&trigger)));
    co_await yield();
    second->cancel();
    std::thread([&trigger] { trigger.send(); }).join();
    co_await first;
    co_await third;
  }(&log));
  REQUIRE(log == Log{"2: cancelled: cancelled", "1: done", "3: done"});
  REQUIRE_FALSE(reactor.active());
}

TEST_CASE_METHOD(UvWorld, "several sends before a wait are one", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Trigger trigger;
    for (int i = 0; i < 5; ++i) trigger.send();
    co_await sleep(1ms);
    co_await outcome(out, "five", until(&trigger));
    co_await outcome(out, "no more", with_timeout(1ms, until(&trigger)));
    trigger.send();
    co_await outcome(out, "sixth", until(&trigger));
  }(&log));
  REQUIRE(log == Log{"five: done", "no more: The time is over", "sixth: done"});
}

TEST_CASE_METHOD(UvWorld, "functions from other threads arrive in the order of each thread",
                 "[step09]") {
  Posts all(4);
  std::vector<int> expected(posts);
  std::iota(expected.begin(), expected.end(), 0);
  scheduler.run(take_posts(&reactor, &all));
  for (const std::vector<int>& each : all) CHECK(each == expected);
}

TEST_CASE_METHOD(UvWorld, "an error of a posted function ends the program", "[step09]") {
  reactor.post([] { throw std::runtime_error("oh"); });
  scheduler.spawn(outcome(&log, "task", sleep(1h)));
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log == Log{"task: cancelled: graceful shutdown"});
}

TEST_CASE("a posted function is destroyed without a run when the reactor is destroyed",
          "[step09]") {
  const NothingLeft nothing_left;
  const NoDescriptorLeft no_descriptor_left;
  bool ran = false;
  {
    UvReactor reactor;
    for (int i = 0; i < 3; ++i) reactor.post([&ran, more = Living()] { ran = true; });
  }
  REQUIRE_FALSE(ran);
}

TEST_CASE_METHOD(UvWorld, "blocking returns the result or throws the error of its function",
                 "[step09]") {
  const std::thread::id here = std::this_thread::get_id();
  scheduler.run(call<int>(&log, [here] { return std::this_thread::get_id() == here ? 1 : 2; }));
  scheduler.run(outcome(&log, "error", call<int>(&log, []() -> int {
    throw std::runtime_error("it failed there");
  })));
  bool done = false;
  scheduler.run(outcome(&log, "void", blocking([&done] { done = true; })));
  REQUIRE(done);
  scheduler.run(call_for_pointer(&log, [] { return std::make_unique<int>(3); }));
  scheduler.run(call_for_constant(&log));
  REQUIRE(log == Log{"2", "error: it failed there", "void: done", "3", "4"});
}

TEST_CASE("cancelled work finishes in its thread or never begins", "[step09]") {
  const NothingLeft nothing_left;
  const NoDescriptorLeft no_descriptor_left;
  const int pieces = GENERATE(1, 12);
  std::atomic<int> begun = 0, ended = 0;
  std::promise<void> end;
  Log log;
  {
    UvReactor reactor;
    Scheduler scheduler(reactor);
    const SlowWork work{end.get_future().share(), &begun, &ended, &reactor};
    scheduler.run(cancel_work(&log, work, pieces));
    REQUIRE(ended == 0);
    end.set_value();  // a thread may post until the reactor has been destroyed
  }
  REQUIRE(log == Log(static_cast<std::size_t>(pieces), "work: cancelled: cancelled"));
  REQUIRE(ended == begun);
  if (pieces > 1) REQUIRE(begun < pieces);
}

TEST_CASE("a destroyed reactor has waited for cancelled work", "[step09]") {
  const NothingLeft nothing_left;
  const NoDescriptorLeft no_descriptor_left;
  std::promise<void> end;
  std::atomic<int> begun = 0, ended = 0;
  std::thread late;
  {
    UvReactor reactor;
    Scheduler scheduler(reactor);
    scheduler.run(cancel_work_with_child({end.get_future().share(), &begun, &ended, &reactor}));
    late = std::thread([&end] {
      std::this_thread::sleep_for(20ms);  // by then, the reactor waits for its threads
      end.set_value();
    });
  }
  CHECK(ended == 1);
  late.join();
}
