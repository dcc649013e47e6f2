#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <any_catch2.hpp>
#include <chrono>
#include <csignal>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "process.hpp"
#include "wait.hpp"

namespace {

using Log = std::vector<std::string>;
using namespace std::chrono_literals;

class Scripted final : public Coroutine {
 public:
  using Script = std::function<std::optional<Yielded>(int turn)>;
  explicit Scripted(Script script) : script_(std::move(script)) {}

 private:
  Script script_;
  int turn_ = 0;
  std::optional<Yielded> resume(Value) override { return script_(turn_++); }
};

TaskId add(Scheduler& scheduler, Scripted::Script script) {
  return scheduler.new_task(std::make_shared<Scripted>(std::move(script)));
}

/// Two connected sockets. `here` is the one that tasks wait for.
struct Pair {
  Pair() {
    int fds[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0);
    here = std::make_unique<Socket>(fds[0]);
    there = fds[1];
  }
  ~Pair() { hang_up(); }
  void hang_up() {
    if (there >= 0) ::close(std::exchange(there, -1));
  }
  void send() { REQUIRE(::write(there, "x", 1) == 1); }

  std::unique_ptr<Socket> here;
  int there;
};

/// Waits once for `socket`, and then writes to the log.
Scripted::Script waiting(Log& log, const std::string& name, Socket socket) {
  return [&log, name, socket](int turn) -> std::optional<Yielded> {
    if (turn == 0) return wait_for_read(socket);
    log.push_back(name + " continues");
    return std::nullopt;
  };
}

/// Fails the test if run() doesn't return within three seconds: Catch2 reports SIGTERM.
struct Alarm {
  Alarm() {
    std::signal(SIGALRM, [](int) { std::raise(SIGTERM); });
    ::alarm(3);
  }
  ~Alarm() { ::alarm(0); }
};

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace

TEST_CASE("a task continues when there is something to read") {
  const Alarm alarm;
  Log log;
  Scheduler scheduler;
  Pair pair;
  add(scheduler, waiting(log, "reader", *pair.here));
  add(scheduler, [&](int turn) -> std::optional<Yielded> {
    if (turn < 3) return Nothing{};
    log.push_back("sends");
    pair.send();
    return std::nullopt;
  });
  scheduler.run();
  REQUIRE(log == Log{"sends", "reader continues"});
}

TEST_CASE("a task continues when the connection has ended") {
  const Alarm alarm;
  Log log;
  Scheduler scheduler;
  Pair pair;
  add(scheduler, waiting(log, "reader", *pair.here));
  pair.hang_up();
  scheduler.run();
  REQUIRE(log == Log{"reader continues"});
}

TEST_CASE("a task that waits to write continues when the connection has ended") {
  const Alarm alarm;
  Scheduler scheduler;
  Pair pair;
  const std::string much(1 << 20, 'x');
  while (::send(pair.here->fd(), much.data(), much.size(), MSG_NOSIGNAL) > 0) {
  }
  int turns = 0;
  add(scheduler, [&](int turn) -> std::optional<Yielded> {
    ++turns;
    if (turn == 0) return wait_for_write(*pair.here);
    return std::nullopt;
  });
  add(scheduler, [&](int) -> std::optional<Yielded> {
    REQUIRE(turns == 1);  // nothing fits in, so it still waits
    pair.hang_up();
    return std::nullopt;
  });
  scheduler.run();
  REQUIRE(turns == 2);
}

TEST_CASE(
    "a full pipe with an error is reported, although neither reading nor writing is possible") {
  const Alarm alarm;
  Log log;
  Scheduler scheduler;
  int fds[2];
  REQUIRE(::pipe(fds) == 0);
  const Socket writer(fds[1]);
  ::close(fds[0]);  // from now on, poll() reports POLLERR for the other end
  add(scheduler, waiting(log, "reader of a broken pipe", writer));
  scheduler.run();
  REQUIRE(log == Log{"reader of a broken pipe continues"});
}

TEST_CASE("one wait is one turn, even if nothing is read") {
  const Alarm alarm;
  Scheduler scheduler;
  Pair pair;
  pair.send();
  int turns = 0, turns_before_the_end = 0;
  add(scheduler, [&](int turn) -> std::optional<Yielded> {
    ++turns;
    if (turn == 0) return wait_for_read(*pair.here);
    if (turn == 1) return wait_task(2);
    return std::nullopt;
  });
  add(scheduler, [&](int turn) -> std::optional<Yielded> {
    if (turn < 20) return Nothing{};
    turns_before_the_end = turns;
    return std::nullopt;
  });
  scheduler.run();
  REQUIRE(turns_before_the_end == 2);
}

TEST_CASE("tasks in the queue go on while others wait for a socket") {
  const Alarm alarm;
  Log log;
  Scheduler scheduler;
  Pair pair;
  add(scheduler, waiting(log, "reader", *pair.here));
  add(scheduler, [&](int turn) -> std::optional<Yielded> {
    if (turn < 1000) return Nothing{};  // nothing arrives in this time
    pair.hang_up();
    log.push_back("the work has finished");
    return std::nullopt;
  });
  scheduler.run();
  REQUIRE(log == Log{"the work has finished", "reader continues"});
}

TEST_CASE("a socket is noticed although a task is always in the queue") {
  const Alarm alarm;
  Scheduler scheduler;
  Pair pair;
  bool read = false;
  int turns = 0;
  pair.send();
  add(scheduler, [&](int turn) -> std::optional<Yielded> {
    if (turn == 0) return wait_for_read(*pair.here);
    read = true;
    return std::nullopt;
  });
  add(scheduler, [&](int) -> std::optional<Yielded> {
    if (read || ++turns == 10000) return std::nullopt;
    return Nothing{};
  });
  scheduler.run();
  REQUIRE(turns < 100);
}

TEST_CASE("while all tasks wait, the process uses no CPU time") {
  const Alarm alarm;
  Log log;
  Scheduler scheduler;
  Pair pair;
  add(scheduler, waiting(log, "reader", *pair.here));
  std::thread sender([&] {
    std::this_thread::sleep_for(300ms);
    pair.send();
  });
  const double before = cpu_seconds();
  scheduler.run();
  const double used = cpu_seconds() - before;
  sender.join();
  REQUIRE(used < 0.1);
}

TEST_CASE("two tasks wait for the same socket, and both continue") {
  const Alarm alarm;
  Log log;
  Scheduler scheduler;
  Pair pair;
  add(scheduler, waiting(log, "a", *pair.here));
  add(scheduler, waiting(log, "b", *pair.here));
  pair.send();
  scheduler.run();
  REQUIRE(log.size() == 2);
}

TEST_CASE("a task that is killed while it waits is forgotten") {
  const Alarm alarm;
  Log log;
  Scheduler scheduler;
  Pair pair;
  add(scheduler, waiting(log, "reader", *pair.here));
  add(scheduler, [](int turn) -> std::optional<Yielded> {
    if (turn == 0) return kill_task(1);
    return std::nullopt;
  });
  scheduler.run();  // would sleep for ever if the wait were still there
  REQUIRE(log.empty());
}

TEST_CASE("the last copy of a socket closes it") {
  Pair pair;
  {
    const Socket copy = *pair.here;
    REQUIRE(copy.fd() == pair.here->fd());
  }
  REQUIRE(::write(pair.there, "x", 1) == 1);  // still open
  pair.here.reset();
  REQUIRE(::send(pair.there, "x", 1, MSG_NOSIGNAL) == -1);
}
