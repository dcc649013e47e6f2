#include "wait.hpp"

#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <ctime>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "pair.hpp"
#include "process.hpp"
#include "script.hpp"

namespace {

/// A step that reads from a socket, writes the data or "would block" to the log, and yields
/// `yielded`.
Script::Step read_from(const Socket& socket, Log& log, std::string name,
                       Yielded yielded = Nothing{}) {
  return [socket, &log, name = std::move(name), yielded = std::move(yielded)](Value) {
    log.push_back(name + ": " + socket.read(100).value_or("would block"));
    return yielded;
  };
}

/// Returns a pipe that becomes readable after some milliseconds, because a process ends.
Socket timer(int milliseconds) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  if (::fork() == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    ::_exit(0);
  }
  ::close(ends[1]);
  return Socket(ends[0]);
}

}  // namespace

TEST_CASE("a task that waits to read is woken when data arrives and other tasks run meanwhile",
          "[step05]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "a waits", wait_for_read(pair.here)), say(log, "a is woken")}));
  scheduler.new_task(script(
      {say(log, "b1"), say(log, "b2"), act([&] { pair.there.write("x"); }), say(log, "b3")}));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "b1", "b2", "b3", "a is woken"});
}

TEST_CASE("a task that waits to write is woken when the peer has read", "[step05]") {
  Log log;
  const Pair pair = connected_pair();
  fill(pair.here);
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "a waits", wait_for_write(pair.here)), say(log, "a is woken")}));
  scheduler.new_task(
      script({say(log, "b1"), say(log, "b2"), act([&] { drain(pair.there); }), say(log, "b3")}));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "b1", "b2", "b3", "a is woken"});
}

TEST_CASE("a task is woken immediately when its socket is ready before", "[step05]") {
  Log log;
  const Pair pair = connected_pair();
  pair.there.write("x");
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a", wait_for_read(pair.here)),
                             say(log, "a", wait_for_write(pair.here)), say(log, "a")}));
  scheduler.new_task(script({say(log, "b"), say(log, "b"), say(log, "b")}));
  scheduler.run();
  REQUIRE(log == Log{"a", "b", "b", "a", "b", "a"});
}

TEST_CASE("a task that waits to write is not woken by data to read", "[step05]") {
  Log log;
  const Pair pair = connected_pair();
  fill(pair.here);
  pair.there.write("x");
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "a waits", wait_for_write(pair.here)), say(log, "a is woken")}));
  scheduler.new_task(script({pass(), pass(), say(log, "b"), act([&] { drain(pair.there); })}));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "b", "a is woken"});
}

TEST_CASE("waiting tasks are woken in the order of their ids when all sockets are ready",
          "[step05]") {
  Log log;
  const Pair one = connected_pair(), two = connected_pair(), three = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "", wait_for_read(three.here)), say(log, "1")}));
  scheduler.new_task(script({say(log, "", wait_for_read(one.here)), say(log, "2")}));
  scheduler.new_task(script({say(log, "", wait_for_read(two.here)), say(log, "3")}));
  scheduler.new_task(script({act([&] {
    for (const Pair* pair : {&one, &two, &three}) pair->there.write("x");
  })}));
  scheduler.run();
  REQUIRE(log == Log{"", "", "", "1", "2", "3"});
}

TEST_CASE("a closed peer wakes the task that waits for it and no other task", "[step05]") {
  Log log;
  std::optional<Pair> closing = connected_pair();
  const Socket here = closing->here;
  const Pair other = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a waits", wait_for_read(here)), read_from(here, log, "a")}));
  scheduler.new_task(
      script({say(log, "b waits", wait_for_read(other.here)), read_from(other.here, log, "b")}));
  scheduler.new_task(script(
      {act([&] { closing.reset(); }), pass(), pass(), act([&] { other.there.write("hello"); })}));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "b waits", "a: ", "b: hello"});
}

TEST_CASE("two tasks that wait for one socket are both woken", "[step05]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "1 waits", wait_for_read(pair.here)), read_from(pair.here, log, "1")}));
  scheduler.new_task(script({say(log, "2 waits", wait_for_read(pair.here)),
                             read_from(pair.here, log, "2", wait_for_read(pair.here)),
                             read_from(pair.here, log, "2")}));
  scheduler.new_task(script({act([&] { pair.there.write("first"); }), pass(), pass(), pass(),
                             act([&] { pair.there.write("second"); })}));
  scheduler.run();
  REQUIRE(log == Log{"1 waits", "2 waits", "1: first", "2: would block", "2: second"});
}

TEST_CASE("one task may read from a socket while another writes to it", "[step05]") {
  Log log;
  const Pair pair = connected_pair();
  fill(pair.here);
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "", wait_for_read(pair.here)), read_from(pair.here, log, "a")}));
  scheduler.new_task(script({say(log, "", wait_for_write(pair.here)), say(log, "b can write")}));
  scheduler.new_task(script(
      {act([&] { pair.there.write("x"); }), pass(), pass(), act([&] { drain(pair.there); })}));
  scheduler.run();
  REQUIRE(log == Log{"", "", "a: x", "b can write"});
}

TEST_CASE("a killed task is not resumed and its socket is closed", "[step05]") {
  Log log;
  std::optional<Pair> pair = connected_pair();
  const Socket peer = pair->there;
  Scheduler scheduler;
  scheduler.new_task(script({hold(std::make_shared<Socket>(pair->here)),
                             say(log, "waits", wait_for_read(pair->here)), say(log, "never")}));
  pair.reset();
  scheduler.new_task(
      script({pass(), pass(), say(log, "kills", kill_task(1)), read_from(peer, log, "peer")}));
  scheduler.run();
  REQUIRE(log == Log{"waits", "kills", "peer: "});
}

TEST_CASE("a task that is killed after its socket became ready is not resumed", "[step05]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(
      script({say(log, "kills", wait_for_read(pair.here)), say(log, "kills", kill_task(2))}));
  scheduler.new_task(script({say(log, "waits", wait_for_read(pair.here)), say(log, "never")}));
  scheduler.new_task(script({act([&] { pair.there.write("x"); })}));
  scheduler.run();
  REQUIRE(log == Log{"kills", "waits", "kills"});
}

TEST_CASE("run returns when the only waiting task has been killed", "[step05]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "waits", wait_for_read(pair.here)), say(log, "never")}));
  scheduler.new_task(script({pass(), say(log, "kills", kill_task(1))}));
  scheduler.run();
  REQUIRE(log == Log{"waits", "kills"});
}

TEST_CASE("a task is woken once when its socket stays ready", "[step05]") {
  Log log;
  const Pair pair = connected_pair();
  pair.there.write("x");
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a waits", wait_for_read(pair.here)),
                             say(log, "a waits for b", wait_task(2)), say(log, "a is woken")}));
  scheduler.new_task(script({pass(), pass(), pass(), say(log, "b ends")}));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "a waits for b", "b ends", "a is woken"});
}

TEST_CASE("run returns when the last task has finished and can be called again", "[step05]") {
  Log log;
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.run();
  scheduler.new_task(
      script({say(log, "a waits", wait_for_write(pair.here)), say(log, "a is woken")}));
  scheduler.run();
  REQUIRE(log == Log{"a waits", "a is woken"});
  REQUIRE_FALSE(scheduler.find(1));
  scheduler.run();
}

TEST_CASE("run uses no CPU time while all tasks wait", "[step05]") {
  Log log;
  const Socket end = timer(300);
  const Pair pair = connected_pair();
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "a waits", wait_for_read(end)), say(log, "a is woken"),
                             act([&] { pair.there.write("x"); })}));
  scheduler.new_task(
      script({say(log, "b waits", wait_for_read(pair.here)), say(log, "b is woken")}));
  const std::clock_t before = std::clock();
  scheduler.run();
  REQUIRE(std::clock() - before < CLOCKS_PER_SEC / 50);  // CPU time
  REQUIRE(log == Log{"a waits", "b waits", "a is woken", "b is woken"});
}

TEST_CASE("a signal does not end run while all tasks wait", "[step05]") {
  static volatile std::sig_atomic_t signals;
  signals = 0;
  struct sigaction action{};
  action.sa_handler = [](int) { signals = signals + 1; };
  ::sigaction(SIGALRM, &action, nullptr);
  const itimerval soon{{0, 0}, {0, 20000}};
  ::setitimer(ITIMER_REAL, &soon, nullptr);
  Log log;
  const Socket end = timer(100);
  Scheduler scheduler;
  scheduler.new_task(script({say(log, "waits", wait_for_read(end)), say(log, "is woken")}));
  scheduler.run();
  ::signal(SIGALRM, SIG_DFL);
  REQUIRE(signals == 1);
  REQUIRE(log == Log{"waits", "is woken"});
}

TEST_CASE("1200 tasks can wait for sockets whose descriptors are greater than 1024", "[step05]") {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 4096);
  ::setrlimit(RLIMIT_NOFILE, &limit);
  const std::size_t count = 1200;
  if (limit.rlim_cur < 2 * count + 100) {
    std::cout << "skipped: 1200 tasks, because ulimit -Hn is " << limit.rlim_cur << '\n';
    return;
  }
  Log log;
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < count; ++i) pairs.push_back(connected_pair());
  REQUIRE(pairs.back().here.fd() > 1024);
  Scheduler scheduler;
  for (const Pair& pair : pairs) {
    scheduler.new_task(
        script({say(log, "", wait_for_read(pair.here)), read_from(pair.here, log, "")}));
  }
  scheduler.new_task(
      script({act([&] { pairs.back().there.write("last"); }), pass(), pass(), act([&] {
                CHECK(log.back() == ": last");
                for (const Pair& pair : pairs) pair.there.write("x");
              })}));
  scheduler.run();
  REQUIRE(log.size() == 2 * count);
  REQUIRE(std::count(log.begin(), log.end(), ": x") == count - 1);
}
