#include "wait.hpp"

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "any_catch2.hpp"
#include "listen.hpp"
#include "pair.hpp"
#include "peer.hpp"
#include "process.hpp"
#include "script.hpp"

namespace {

using std::chrono::milliseconds;

/// A step that writes down how the wait before it ended.
Script::Step woken(Log& log, const std::string& who, Yielded request = Nothing{}) {
  return [&log, who, request = std::move(request)](const Value& sent) -> std::optional<Yielded> {
    const auto error = std::any_cast<std::error_code>(sent);
    std::string how = error.message();
    if (!error) how = "ready";
    if (error == std::errc::operation_canceled) how = "closed";
    if (error == std::errc::timed_out) how = "timed out";
    log.push_back(who + " " + how);
    return request;
  };
}

Script::Step act(std::function<void()> action) {
  return [action = std::move(action)](const Value&) -> std::optional<Yielded> {
    action();
    return Nothing{};
  };
}

bool is_open(int number) {
  return ::fcntl(number, F_GETFD) >= 0;
}

double processor_seconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

TEST_CASE("who waits to read is woken when something comes", "[step08]") {
  Log log;
  Pair pair;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "waits", wait_for_read(pair.here)), woken(log, "a")}));
  scheduler.new_task(script({say(log, "works"), act([&] { pair.there.write("x"); })}));
  scheduler.run();
  REQUIRE(log == Log{"waits", "works", "a ready"});
  REQUIRE(pair.here.read(10).value == "x");
}

TEST_CASE("the end of the stream, and a reset, wake who waits to read", "[step08]") {
  Log log;
  Pair pair;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "waits", wait_for_read(pair.here)), woken(log, "a")}));
  scheduler.new_task(script({act([&] { pair.there.close(); })}));
  scheduler.run();
  REQUIRE(log == Log{"waits", "a ready"});
  const Result<std::string> end = pair.here.read(10);
  REQUIRE_FALSE(end.error);
  REQUIRE(end.value.empty());
}

TEST_CASE("who waits to write is woken when there is room", "[step08]") {
  Log log;
  Pair pair;
  const std::string block(100000, 'x');
  while (!pair.here.write(block).error) {
  }
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "waits", wait_for_write(pair.here)), woken(log, "a")}));
  scheduler.new_task(script({say(log, "reads"), act([&] {
                               while (!pair.there.read(1000000).error) {
                               }
                             })}));
  scheduler.run();
  REQUIRE(log == Log{"waits", "reads", "a ready"});
}

TEST_CASE("all who wait for one socket are woken, in the order they came", "[step08]") {
  Log log;
  Pair pair;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "1", wait_for_read(pair.here)), woken(log, "1")}));
  scheduler.new_task(script({say(log, "2", wait_for_read(pair.here)), woken(log, "2")}));
  scheduler.new_task(script({say(log, "3", wait_for_write(pair.here)), woken(log, "3")}));
  scheduler.new_task(script({act([&] { pair.there.write("x"); })}));
  scheduler.run();
  REQUIRE(log == Log{"1", "2", "3", "1 ready", "2 ready", "3 ready"});
}

TEST_CASE("being ready to write does not wake who waits to read", "[step08]") {
  Log log;
  Pair pair;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "r", wait_for_read(pair.here)), woken(log, "r")}));
  scheduler.new_task(script({say(log, "w", wait_for_write(pair.here)), woken(log, "w"),
                             act([&] { pair.there.write("x"); })}));
  scheduler.run();
  REQUIRE(log == Log{"r", "w", "w ready", "r ready"});
}

TEST_CASE("a busy task does not keep a ready socket waiting for more than a round", "[step08]") {
  Log log;
  Pair pair;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "waits", wait_for_read(pair.here)), woken(log, "a")}));
  scheduler.new_task(script({say(log, "b1"), act([&] { pair.there.write("x"); }), say(log, "b3"),
                             say(log, "b4"), say(log, "b5")}));
  scheduler.run();
  REQUIRE(log == Log{"waits", "b1", "b3", "a ready", "b4", "b5"});
}

TEST_CASE("closing a socket wakes who waits for it", "[step08]") {
  Log log;
  Pair pair;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "1", wait_for_read(pair.here)), woken(log, "1")}));
  scheduler.new_task(
      script({say(log, "2", wait_for_write(pair.here, no_deadline)), woken(log, "2")}));
  scheduler.new_task(script({act([&] { pair.here.close(); })}));
  const std::string block(100000, 'x');
  while (!pair.here.write(block).error) {
  }
  scheduler.run();
  REQUIRE(log == Log{"1", "2", "1 closed", "2 closed"});
}

TEST_CASE("waiting for a closed socket, or for none, ends at once", "[step08]") {
  Log log;
  Pair pair;
  pair.here.close();
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_for_read(pair.here)), woken(log, "a"),
                             say(log, "b", wait_for_write(Socket())), woken(log, "b")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "a closed", "b", "b closed"});
}

TEST_CASE("a wait does not keep the socket open", "[step08]") {
  Log log;
  Pair pair;
  const int number = pair.here.number();
  Scheduler scheduler;
  scheduler.new_task(script({[socket = std::move(pair.here)](const Value&) mutable {
                               return std::optional<Yielded>(wait_for_read(std::move(socket)));
                             },
                             woken(log, "a")}));
  scheduler.run();
  REQUIRE(log == Log{"a closed"});
  REQUIRE_FALSE(is_open(number));
}

TEST_CASE("the number of a closed socket, used again, wakes nobody who waited before", "[step08]") {
  Log log;
  Pair old, fresh;
  const int number = old.here.number();
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_for_read(old.here)), woken(log, "a")}));
  scheduler.new_task(
      script({act([&] {
                old.here.close();
                fresh = Pair();
                fresh.there.write("x");
              }),
              [&](const Value&) -> std::optional<Yielded> { return wait_for_read(fresh.here); },
              woken(log, "b")}));
  scheduler.run();
  REQUIRE((fresh.here.number() == number || fresh.there.number() == number));
  REQUIRE(log == Log{"a", "a closed", "b ready"});
}

TEST_CASE("a deadline ends a wait, the nearest first", "[step08]") {
  Log log;
  Pair pair;
  Scheduler scheduler;
  const auto now = Clock::now();
  scheduler.new_task(
      script({say(log, "1", wait_for_read(pair.here, now + milliseconds(60))), woken(log, "1")}));
  scheduler.new_task(
      script({say(log, "2", wait_for_read(pair.here, now + milliseconds(20))), woken(log, "2")}));
  scheduler.run();
  REQUIRE(log == Log{"1", "2", "2 timed out", "1 timed out"});
  REQUIRE(Clock::now() - now >= milliseconds(60));
}

TEST_CASE("a deadline in the past ends a wait at once, but a ready socket counts more",
          "[step08]") {
  Log log;
  Pair pair;
  Scheduler scheduler;
  const auto past = Clock::now() - milliseconds(1);
  scheduler.new_task(script({say(log, "1", wait_for_read(pair.here, past)), woken(log, "1"),
                             act([&] { pair.there.write("x"); }),
                             say(log, "2", wait_for_read(pair.here, past)), woken(log, "2")}));
  scheduler.run();
  REQUIRE(log == Log{"1", "1 timed out", "2", "2 ready"});
}

TEST_CASE("run waits without using the processor", "[step08]") {
  Log log;
  Pair pair;
  Scheduler scheduler;
  const auto deadline = Clock::now() + milliseconds(300);
  scheduler.new_task(script({say(log, "a", wait_for_read(pair.here, deadline)), woken(log, "a")}));
  const double before = processor_seconds();
  scheduler.run();
  REQUIRE(processor_seconds() - before < 0.1);
  REQUIRE(log == Log{"a", "a timed out"});
}

TEST_CASE("killing a task that waits closes its socket before kill_task returns", "[step08]") {
  Log log;
  Pair pair;
  const int number = pair.here.number();
  Scheduler scheduler;
  const auto killed = [&](const Value& sent) -> std::optional<Yielded> {
    log.push_back(std::any_cast<bool>(sent) && !is_open(number) ? "closed" : "still open");
    pair.there.write("x");
    return Nothing{};
  };
  scheduler.new_task(script({[socket = std::exchange(pair.here, Socket())](const Value&) {
                               return std::optional<Yielded>(wait_for_read(socket));
                             },
                             say(log, "never")}));
  scheduler.new_task(script({say(log, "kills", kill_task(1)), killed, say(log, "goes on")}));
  scheduler.run();
  REQUIRE(log == Log{"kills", "closed", "goes on"});
  REQUIRE(scheduler.living_tasks().empty());
}

TEST_CASE("run returns when the last one that waits has been killed", "[step08]") {
  Log log;
  Pair pair;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "waits", wait_for_read(pair.here)), say(log, "never")}));
  scheduler.new_task(script({say(log, "kills", kill_task(1))}));
  scheduler.run();
  REQUIRE(log == Log{"waits", "kills"});
}

TEST_CASE("a task that waits for a socket can be waited for", "[step08]") {
  Log log;
  Pair pair;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_for_read(pair.here)), woken(log, "a")}));
  scheduler.new_task(script({say(log, "b", wait_task(1)), hear(log, "b ")}));
  scheduler.new_task(script({act([&] { pair.there.close(); })}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "a ready", "b true"});
}

TEST_CASE("tasks that wait when the scheduler goes are destroyed, and their sockets closed",
          "[step08]") {
  Log log;
  Pair pair;
  const int number = pair.here.number();
  {
    Scheduler scheduler;
    scheduler.new_task(script({[socket = std::exchange(pair.here, Socket())](const Value&) {
                                 return std::optional<Yielded>(wait_for_read(socket));
                               },
                               say(log, "never")}));
    scheduler.new_task(script(
        {[](const Value&) -> std::optional<Yielded> { throw std::runtime_error("ends run"); }}));
    scheduler.on_uncaught([](TaskId, std::exception_ptr error) { std::rethrow_exception(error); });
    REQUIRE_THROWS_WITH(scheduler.run(), "ends run");
    REQUIRE(is_open(number));
  }
  REQUIRE_FALSE(is_open(number));
}

TEST_CASE("two tasks accept on one listener, and each gets what is there for it", "[step08]") {
  Log log;
  Scheduler scheduler;
  const Socket listener = listen_on(0).value;
  const auto accept = [&](const std::string& who) -> Script::Step {
    return [&log, listener, who](const Value&) -> std::optional<Yielded> {
      const Result<Socket> client = listener.accept();
      log.push_back(who + (try_again(client.error) ? " tries again" : " has one"));
      return wait_for_read(listener);
    };
  };
  std::vector<Peer> peers;
  scheduler.new_task(script({say(log, "1", wait_for_read(listener)), accept("1"), accept("1")}));
  scheduler.new_task(script({say(log, "2", wait_for_read(listener)), accept("2"), accept("2")}));
  scheduler.new_task(
      script({act([&] { peers.emplace_back(port_of(listener)); }), act([] {}), act([] {}),
              act([&] { peers.emplace_back(port_of(listener)); }), act([] {}),
              act([&] { scheduler.kill_task(1); }), act([&] { scheduler.kill_task(2); })}));
  scheduler.run();
  REQUIRE(log == Log{"1", "2", "1 has one", "2 tries again", "1 has one", "2 tries again"});
}

TEST_CASE("more descriptors than select could take, and a wait on the last of them", "[step08]") {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 4096);
  ::setrlimit(RLIMIT_NOFILE, &limit);
  std::vector<Pair> many(700);
  REQUIRE(many.back().there.number() > 1024);
  Log log;
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_for_read(many.back().here)), woken(log, "a")}));
  scheduler.new_task(script({act([&] { many.back().there.write("x"); })}));
  scheduler.run();
  REQUIRE(log == Log{"a", "a ready"});
}

TEST_CASE("more tasks wait for one socket than a process may have descriptors", "[step08]") {
  Log log;
  Pair pair;
  rlimit kept{};
  ::getrlimit(RLIMIT_NOFILE, &kept);
  const rlimit small{256, kept.rlim_max};
  ::setrlimit(RLIMIT_NOFILE, &small);
  Scheduler scheduler;
  for (int i = 0; i < 1000; ++i)
    scheduler.new_task(script({say(log, "waits", wait_for_read(pair.here)), woken(log, "a")}));
  scheduler.new_task(script({act([&] { pair.there.write("x"); })}));
  scheduler.run();
  ::setrlimit(RLIMIT_NOFILE, &kept);
  REQUIRE(log.size() == 2000);
  REQUIRE(log.back() == "a ready");
}
