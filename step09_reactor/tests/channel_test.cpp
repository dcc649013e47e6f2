#include "coop/channel.hpp"

#include <memory>
#include <stdexcept>

#include "coop/mutex.hpp"
#include "probe.hpp"

using namespace coop;

namespace {

/// Needs a permit for some turns.
Coroutine<> work(Log* out, std::string name, Semaphore* semaphore, int turns) {
  const Permit permit = co_await semaphore->acquire();
  out->push_back(name);
  co_await say(out, name + " ends", turns);
}

Coroutine<> send_all(Log* out, Channel<int>* channel, int count) {
  for (int i = 1; i <= count; ++i) {
    co_await channel->send(i);
    out->push_back("sent " + std::to_string(i));
  }
}

Coroutine<> receive_all(Log* out, std::string name, Channel<int>* channel) {
  std::optional<int> value = co_await channel->receive();
  while (value) {
    out->push_back(name + std::to_string(*value));
    value = co_await channel->receive();
  }
  out->push_back(name + "end");
}

Coroutine<> receive_one(Log* out, std::string name, Channel<int>* channel) {
  const std::optional<int> value = co_await channel->receive();
  out->push_back(name + std::to_string(value.value_or(0)));
}

Coroutine<> enter_and_leave(Log* out, std::string name) {
  out->push_back(name + " enters");
  co_await say(out, name + " leaves", 2);
}

}  // namespace

TEST_CASE_METHOD(World, "a semaphore gives its permits in the order of the requests", "[step09]") {
  Semaphore semaphore(2);
  for (const char* name : {"a", "b", "c", "d"}) scheduler.spawn(work(&log, name, &semaphore, 2));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "a ends", "b ends", "c", "d", "c ends", "d ends"});
  REQUIRE(semaphore.free() == 2);
}

TEST_CASE_METHOD(World, "no permit is lost when a waiting task is cancelled", "[step09]") {
  Semaphore semaphore(1);
  scheduler.spawn(work(&log, "a", &semaphore, 4));
  const Handle<void> second = scheduler.spawn(work(&log, "b", &semaphore, 1));
  scheduler.spawn(work(&log, "c", &semaphore, 1));
  SECTION("before it gets the permit") {
    scheduler.spawn(cancel(&*second));
  }
  SECTION("between the release and its turn") {
    const auto release_and_cancel = [](Semaphore* all, Task* task) -> Coroutine<> {
      all->release();
      task->cancel();
      co_return;
    };
    scheduler.spawn(release_and_cancel(&semaphore, &*second));
  }
  scheduler.run();
  REQUIRE(log.size() == 4);
  REQUIRE(semaphore.free() >= 1);
}

TEST_CASE_METHOD(World, "with_lock lets one task at a time into a section", "[step09]") {
  Mutex mutex;
  for (const char* name : {"a", "b", "c"}) {
    scheduler.spawn(with_lock(&mutex, enter_and_leave(&log, name)));
  }
  scheduler.run();
  REQUIRE(log == Log{"a enters", "a leaves", "b enters", "b leaves", "c enters", "c leaves"});
}

TEST_CASE_METHOD(World, "with_lock unlocks when its body fails or is cancelled", "[step09]") {
  Mutex mutex;
  ManualEvent never;
  scheduler.spawn(report(&log, "a", with_lock(&mutex, fail("oh", 1))));
  const Handle<> b = scheduler.spawn(report(&log, "b", with_lock(&mutex, say(&log, "b runs"))));
  const Handle<> c = scheduler.spawn(report(&log, "c", with_lock(&mutex, until(&never))));
  scheduler.spawn(cancel(&*b, "waits"));
  scheduler.spawn(cancel(&*c, "is inside", 9));
  scheduler.run();
  scheduler.run(report(&log, "d", with_lock(&mutex, say(&log, "d runs"))));
  REQUIRE(log ==
          Log{"a: oh", "b: cancelled: waits", "c: cancelled: is inside", "d runs", "d: done"});
}

TEST_CASE_METHOD(World, "a sender waits while the channel is full", "[step09]") {
  REQUIRE_THROWS_AS(Channel<std::unique_ptr<int>>(0), std::invalid_argument);
  Channel<int> channel(2);
  scheduler.spawn(send_all(&log, &channel, 3));
  scheduler.spawn(say(&log, "full"));
  scheduler.spawn(receive_one(&log, "got ", &channel));
  scheduler.run();
  REQUIRE(log == Log{"sent 1", "sent 2", "full", "got 1", "sent 3"});
}

TEST_CASE_METHOD(World, "receivers are served in the order in which they came", "[step09]") {
  Channel<int> channel(1);
  for (const char* name : {"a", "b", "c"}) scheduler.spawn(receive_one(&log, name, &channel));
  scheduler.spawn(send_all(&log, &channel, 3));
  scheduler.run();
  REQUIRE(log == Log{"sent 1", "a1", "sent 2", "b2", "sent 3", "c3"});
}

TEST_CASE_METHOD(World, "no value is lost when a receiver is cancelled", "[step09]") {
  Channel<int> channel(1);
  const Handle<void> first = scheduler.spawn(receive_one(&log, "a", &channel));
  const auto send_and_cancel = [](Channel<int>* to, Task* task) -> Coroutine<> {
    co_await to->send(7);
    task->cancel();
  };
  scheduler.spawn(send_and_cancel(&channel, &*first));
  scheduler.spawn(receive_one(&log, "b", &channel));
  scheduler.run();
  REQUIRE(log == Log{"b7"});
}

TEST_CASE_METHOD(World, "a closed channel is emptied and then returns nothing", "[step09]") {
  Channel<int> channel(2);
  const auto send_and_close = [](Channel<int>* to) -> Coroutine<> {
    co_await to->send(1);
    co_await to->send(2);
    to->close();
  };
  scheduler.spawn(send_and_close(&channel));
  scheduler.spawn(receive_all(&log, "a", &channel));
  scheduler.spawn(receive_all(&log, "b", &channel));
  scheduler.run();
  REQUIRE(log == Log{"a1", "a2", "aend", "bend"});
}

TEST_CASE_METHOD(World, "closing a channel wakes its senders with an error", "[step09]") {
  Channel<int> channel(1);
  scheduler.spawn(report(&log, "sender", send_all(&log, &channel, 2)));
  const auto close = [](Channel<int>* c) -> Coroutine<> {
    c->close();
    co_return;
  };
  scheduler.spawn(close(&channel));
  scheduler.run();
  REQUIRE(log == Log{"sent 1", "sender: The channel is closed"});
}

TEST_CASE_METHOD(World, "try_acquire takes a permit only if one is free", "[step09]") {
  const auto body = [](Log* out, Semaphore* semaphore) -> Coroutine<> {
    {
      const std::optional<Permit> first = semaphore->try_acquire();
      CHECK(first.has_value());
      CHECK_FALSE(semaphore->try_acquire().has_value());
      spawn(work(out, "other", semaphore, 0));
      co_await yield();
    }
    CHECK_FALSE(semaphore->try_acquire().has_value());  // it is for the task that waits
    co_await yield();
    CHECK(semaphore->try_acquire().has_value());
  };
  Semaphore semaphore(1);
  scheduler.run(body(&log, &semaphore));
  REQUIRE(log == Log{"other", "other ends"});
}

TEST_CASE_METHOD(World, "try_send and try_receive do not wait", "[step09]") {
  Channel<std::unique_ptr<int>> channel(1);
  REQUIRE_FALSE(channel.try_receive().has_value());
  auto one = std::make_unique<int>(1), two = std::make_unique<int>(2);
  REQUIRE(channel.try_send(std::move(one)));
  REQUIRE_FALSE(channel.try_send(std::move(two)));
  REQUIRE(*two == 2);  // it was not moved
  const std::optional<std::unique_ptr<int>> value = channel.try_receive();
  REQUIRE(**value == 1);
  REQUIRE(channel.try_send(std::move(two)));
  channel.close();
  REQUIRE_THROWS_AS(channel.try_send(std::make_unique<int>(3)), ChannelClosed);
  REQUIRE(**channel.try_receive() == 2);
  REQUIRE_FALSE(channel.try_receive().has_value());
}

TEST_CASE_METHOD(World, "try_send wakes a receiver and try_receive a sender", "[step09]") {
  const auto body = [](Log* out, Channel<int>* channel) -> Coroutine<> {
    spawn(receive_one(out, "received ", channel));
    co_await yield();
    CHECK(channel->try_send(1));
    CHECK_FALSE(channel->try_receive().has_value());  // it is for the receiver
    co_await yield();
    spawn(send_all(out, channel, 2));
    co_await yield();
    CHECK(*channel->try_receive() == 1);
  };
  Channel<int> channel(1);
  scheduler.run(body(&log, &channel));
  REQUIRE(log == Log{"received 1", "sent 1", "sent 2"});
}
