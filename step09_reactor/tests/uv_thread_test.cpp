#include <stdexcept>
#include <thread>
#include <vector>

#include "coop/uv/trigger.hpp"
#include "uv_world.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> wait_for_thread(Log* out) {
  Trigger trigger;
  std::thread other([&trigger] { trigger.send(); });
  co_await outcome(out, "sent", trigger.next());
  other.join();
}

Coroutine<> send_often(Log* out) {
  Trigger trigger;
  for (int i = 0; i < 5; ++i) trigger.send();
  co_await outcome(out, "five", trigger.next());
  co_await outcome(out, "no more", with_timeout(1ms, trigger.next()));
  trigger.send();
  co_await outcome(out, "sixth", trigger.next());
}

Coroutine<> send_before(Log* out) {
  Trigger trigger;
  trigger.send();
  co_await delay(1ms);
  out->push_back(trigger.is_ready() ? "ready" : "not ready");
  const auto turns = Scheduler::current().turns();
  co_await outcome(out, "next", trigger.next());
  out->push_back(std::to_string(Scheduler::current().turns() - turns) + " turns");
}

Coroutine<> send_to_two(Log* out) {
  Trigger trigger;
  const Handle<void> first = spawn(outcome(out, "1", trigger.next()));
  const Handle<void> second = spawn(outcome(out, "2", trigger.next()));
  const Handle<void> third = spawn(outcome(out, "3", trigger.next()));
  co_await suspend();
  second->cancel();
  std::thread([&trigger] { trigger.send(); }).join();
  co_await first;
  co_await third;
}

constexpr int posts = 2000;

struct Posts {
  explicit Posts(int threads) : of_thread(static_cast<std::size_t>(threads)) {}
  std::vector<std::vector<int>> of_thread;
  int total = 0;
};

void post_all(UvReactor* reactor, Posts* into, Trigger* done, std::size_t thread) {
  for (int i = 0; i < posts; ++i) {
    reactor->post([into, done, thread, i] {
      into->of_thread[thread].push_back(i);
      if (++into->total == posts * static_cast<int>(into->of_thread.size())) done->send();
    });
  }
}

Coroutine<> take_posts(UvReactor* reactor, Posts* into) {
  Trigger done;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < into->of_thread.size(); ++i) {
    threads.emplace_back(post_all, reactor, into, &done, i);
  }
  co_await done.next();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "another thread wakes a task with a trigger", "[step09]") {
  scheduler.run(wait_for_thread(&log));
  REQUIRE(log == Log{"sent: done"});
}

TEST_CASE_METHOD(UvWorld, "several sends before anybody looks are one", "[step09]") {
  scheduler.run(send_often(&log));
  REQUIRE(log == Log{"five: done", "no more: The time is over", "sixth: done"});
}

TEST_CASE_METHOD(UvWorld, "what was sent before anybody waits is kept", "[step09]") {
  scheduler.run(send_before(&log));
  REQUIRE(log == Log{"ready", "next: done", "0 turns"});
}

TEST_CASE_METHOD(UvWorld, "a trigger wakes all who wait for it", "[step09]") {
  scheduler.run(send_to_two(&log));
  REQUIRE(log == Log{"2: cancelled: cancelled", "1: done", "3: done"});
  REQUIRE_FALSE(reactor.active());
}

TEST_CASE_METHOD(UvWorld, "a wait for a trigger is cancelled, ended in time, and destroyed",
                 "[step09]") {
  check_contract(this, [](Log* out) -> Coroutine<> {
    Trigger trigger;
    const auto next = [&trigger] { return trigger.next(); };
    co_await keep_contract(out, next);
  }(&log));
}

TEST_CASE_METHOD(UvWorld, "what threads post arrives and that of each thread in its order",
                 "[step09]") {
  Posts all(4);
  std::vector<int> expected;
  for (int i = 0; i < posts; ++i) expected.push_back(i);
  scheduler.run(take_posts(&reactor, &all));
  for (const std::vector<int>& each : all.of_thread) CHECK(each == expected);
}

TEST_CASE_METHOD(UvWorld, "an error of what was posted ends the program", "[step09]") {
  reactor.post([] { throw std::runtime_error("oh"); });
  scheduler.spawn(outcome(&log, "task", delay(1h)));
  REQUIRE(run(scheduler) == "oh");
  REQUIRE(log == Log{"task: cancelled: graceful shutdown"});
}

TEST_CASE("what was posted and has not run when the reactor goes never does", "[step09]") {
  const NothingLeft nothing_left;
  const NoDescriptorLeft no_descriptor_left;
  bool ran = false;
  UvReactor reactor;
  for (int i = 0; i < 3; ++i) reactor.post([&ran, more = Living()] { ran = true; });
  REQUIRE_FALSE(ran);
}
