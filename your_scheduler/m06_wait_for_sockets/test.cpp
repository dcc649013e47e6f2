#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <any_catch2.hpp>
#include <chrono>
#include <csignal>
#include <ctime>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "process.hpp"
#include "wait.hpp"

namespace {

using Log = std::vector<std::string>;
using namespace std::chrono_literals;

/// What run() has asked poll(2) for.
struct Polls {
  int timeout = 0;             ///< of the last call
  long long all = 0;           ///< how many calls there were
  int without_a_turn = 0;      ///< how many calls there were since the last turn
  bool slept_at_work = false;  ///< whether a call could have slept although a task was in the queue
  int in_queue = 0;            ///< tasks that have yielded Nothing, and had no turn since then
} polls;

/// Yields what a function returns for turn 0, 1, 2, ..., until it returns `nullopt`.
class Scripted final : public Coroutine {
 public:
  using Script = std::function<std::optional<Yielded>(int turn)>;
  explicit Scripted(Script script) : script_(std::move(script)) {}

 private:
  Script script_;
  int turn_ = 0;
  bool in_queue_ = false;

  std::optional<Yielded> resume(Value) override {
    if (turn_ == 300000) FAIL("a task has had 300 000 turns: it is resumed again and again");
    polls.in_queue -= in_queue_;
    polls.without_a_turn = 0;
    std::optional<Yielded> yielded = script_(turn_++);
    in_queue_ = yielded && std::holds_alternative<Nothing>(*yielded);
    polls.in_queue += in_queue_;
    return yielded;
  }
};

TaskId add(Scheduler& scheduler, Scripted::Script script) {
  return scheduler.new_task(std::make_shared<Scripted>(std::move(script)));
}

/// Two connected sockets. `here` is the one that tasks wait for.
struct Pair {
  Pair() {
    int fds[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
    for (const int fd : fds) ::fcntl(fd, F_SETFL, O_NONBLOCK);
    std::signal(SIGPIPE, SIG_IGN);
    here = std::make_unique<Socket>(fds[0]);
    there = fds[1];
  }
  ~Pair() { hang_up(); }

  void hang_up() {
    if (there >= 0) ::close(std::exchange(there, -1));
  }

  /// Sends a byte to `here`.
  void send() {
    if (::send(there, "x", 1, 0) == 1) return;
    FAIL(
        "a program would die of SIGPIPE here, because the other socket is closed, although a copy "
        "of it exists: does each copy close it?");
  }

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

/// Yields `turns` times, and then calls a function.
Scripted::Script later(int turns, std::function<void()> function) {
  return [turns, function](int turn) -> std::optional<Yielded> {
    if (turn < turns) return Nothing{};
    function();
    return std::nullopt;
  };
}

/// Runs the scheduler, and fails if it could have slept although there was work.
void run(Scheduler& scheduler) {
  polls = Polls();
  scheduler.run();
  if (polls.slept_at_work) FAIL("a call of poll() could sleep, although a task was in the queue");
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace

/// Takes the place of the system's poll(2) in this program, and calls it, for at most five seconds.
extern "C" int poll(pollfd* sockets, nfds_t count, int timeout) {
  ++polls.all;
  polls.timeout = timeout;
  if (timeout != 0 && polls.in_queue > 0) {
    polls.slept_at_work = true;
    timeout = 0;
  }
  static const auto real_poll = reinterpret_cast<decltype(&::poll)>(::dlsym(RTLD_NEXT, "poll"));
  const int ready = real_poll(sockets, count, timeout < 0 ? 5000 : timeout);
  if (ready == 0 && timeout < 0 && count == 0)
    FAIL("run() sleeps in poll() without a socket, so nothing can wake it");
  if (ready == 0 && timeout < 0)
    FAIL("run() sleeps in poll(), and none of the sockets that it got will be ready");
  if (++polls.without_a_turn == 1000)
    FAIL("run() has called poll() 1000 times, and no task has had a turn meanwhile");
  return ready;
}

TEST_CASE("the last copy of a socket closes it, and no other copy does") {
  Pair pair;
  {
    const Socket copy = *pair.here;
    REQUIRE(copy.fd() == pair.here->fd());
  }
  pair.send();  // it is still open
  pair.here.reset();
  REQUIRE(::send(pair.there, "x", 1, 0) == -1);
}

TEST_CASE("a task continues when there is something to read") {
  Log log;
  Scheduler scheduler;
  Pair pair;
  add(scheduler, waiting(log, "reader", *pair.here));
  add(scheduler, later(3, [&] {
        log.push_back("sends");
        pair.send();
      }));
  run(scheduler);
  REQUIRE(log == Log{"sends", "reader continues"});
}

TEST_CASE("a task continues when the connection has ended") {
  Log log;
  Scheduler scheduler;
  Pair pair;
  add(scheduler, waiting(log, "reader", *pair.here));
  pair.hang_up();
  run(scheduler);
  REQUIRE(log == Log{"reader continues"});
}

TEST_CASE("a task that waits to write continues when there is room, and not before") {
  Log log;
  Scheduler scheduler;
  Pair pair;
  const std::string much(1 << 20, 'x');
  while (::send(pair.here->fd(), much.data(), much.size(), 0) > 0) {
  }
  add(scheduler, [&](int turn) -> std::optional<Yielded> {
    if (turn == 0) return wait_for_write(*pair.here);
    log.push_back("writer continues");
    return std::nullopt;
  });
  add(scheduler, later(3, [&] {
        log.push_back("makes room");
        std::string read(much.size(), '\0');
        while (::recv(pair.there, read.data(), read.size(), 0) > 0) {
        }
      }));
  run(scheduler);
  REQUIRE(log == Log{"makes room", "writer continues"});
}

TEST_CASE("a task that waits to write continues when the connection has ended") {
  Scheduler scheduler;
  Pair pair;
  const std::string much(1 << 20, 'x');
  while (::send(pair.here->fd(), much.data(), much.size(), 0) > 0) {
  }
  int turns = 0, turns_before_the_end = 0;
  add(scheduler, [&](int turn) -> std::optional<Yielded> {
    ++turns;
    if (turn == 0) return wait_for_write(*pair.here);
    return std::nullopt;
  });
  add(scheduler, later(3, [&] {
        turns_before_the_end = turns;
        pair.hang_up();
      }));
  run(scheduler);
  REQUIRE(turns_before_the_end == 1);
  REQUIRE(turns == 2);
}

TEST_CASE("a task continues when poll() reports an error that nobody has asked for") {
  Log log;
  Scheduler scheduler;
  int fds[2];
  REQUIRE(::pipe(fds) == 0);
  const Socket writer(fds[1]);
  ::close(fds[0]);  // from now on, poll() reports POLLERR for the other end
  add(scheduler, waiting(log, "reader of a broken pipe", writer));
  run(scheduler);
  REQUIRE(log == Log{"reader of a broken pipe continues"});
}

TEST_CASE("a task that is always in the queue does not starve a task that waits for a socket") {
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
  run(scheduler);
  REQUIRE(turns < 100);
}

TEST_CASE("a task that waits for a socket does not stop the tasks in the queue") {
  Log log;
  Scheduler scheduler;
  Pair pair;
  add(scheduler, waiting(log, "reader", *pair.here));
  add(scheduler, later(100000, [&] {
        pair.hang_up();
        log.push_back("100 000 turns are over");
      }));
  run(scheduler);
  REQUIRE(log == Log{"100 000 turns are over", "reader continues"});
}

TEST_CASE("one wait is one turn, even if nothing is read") {
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
  add(scheduler, later(20, [&] { turns_before_the_end = turns; }));
  run(scheduler);
  REQUIRE(turns_before_the_end == 2);
}

TEST_CASE("while all tasks wait, run() sleeps in poll(), and uses no CPU time") {
  Log log;
  Scheduler scheduler;
  Pair pair;
  add(scheduler, waiting(log, "reader", *pair.here));
  const auto sender = std::async(std::launch::async, [fd = pair.there] {
    std::this_thread::sleep_for(300ms);
    ::send(fd, "x", 1, 0);
  });
  const double before = cpu_seconds();
  run(scheduler);
  const double used = cpu_seconds() - before;
  REQUIRE(log == Log{"reader continues"});
  REQUIRE(used < 0.1);  // seconds, of 0.3
  if (polls.timeout >= 0 && polls.all > 0)
    FAIL("all tasks waited, and poll() got a timeout of "
         << polls.timeout << " ms: it wakes up for nothing. -1 sleeps until a socket is ready");
}

TEST_CASE("while a task is in the queue, the timeout of poll() is 0") {
  Log log;
  Scheduler scheduler;
  Pair pair;
  int timeout = 0;
  add(scheduler, waiting(log, "reader", *pair.here));
  add(scheduler, later(3, [&] {
        timeout = polls.timeout;
        pair.send();
      }));
  run(scheduler);
  REQUIRE(timeout == 0);
}

TEST_CASE("two tasks that wait for the same socket continue when its data comes") {
  Log log;
  Scheduler scheduler;
  Pair pair;
  add(scheduler, waiting(log, "a", *pair.here));
  add(scheduler, waiting(log, "b", *pair.here));
  add(scheduler, later(3, [&] { pair.send(); }));
  run(scheduler);
  std::sort(log.begin(), log.end());
  REQUIRE(log == Log{"a continues", "b continues"});
}

TEST_CASE("one task waits to read from a socket while another waits to write to it") {
  Log log;
  Scheduler scheduler;
  Pair pair;
  add(scheduler, waiting(log, "reader", *pair.here));
  add(scheduler, [&](int turn) -> std::optional<Yielded> {
    if (turn == 0) return wait_for_write(*pair.here);
    log.push_back("writer continues");
    pair.send();
    return std::nullopt;
  });
  run(scheduler);
  REQUIRE(log == Log{"writer continues", "reader continues"});
}

TEST_CASE("of three sockets, only that with data wakes its task") {
  Log log;
  Scheduler scheduler;
  Pair a, b, c;
  add(scheduler, waiting(log, "a", *a.here));
  add(scheduler, waiting(log, "b", *b.here));
  add(scheduler, waiting(log, "c", *c.here));
  add(scheduler, later(3, [&] { b.send(); }));
  add(scheduler, later(9, [&] {
        log.push_back("the others");
        a.send();
        c.hang_up();
      }));
  run(scheduler);
  std::sort(log.begin() + 2, log.end());
  REQUIRE(log == Log{"b continues", "the others", "a continues", "c continues"});
}

TEST_CASE("a task that is killed while it waits is forgotten") {
  Log log;
  Scheduler scheduler;
  Pair pair;
  add(scheduler, waiting(log, "reader", *pair.here));
  add(scheduler, [](int turn) -> std::optional<Yielded> {
    if (turn == 0) return kill_task(1);
    return std::nullopt;
  });
  run(scheduler);  // would sleep if the wait were still there
  REQUIRE(log.empty());
}

TEST_CASE("the socket of a task that is killed while it waits is closed") {
  Log log;
  Scheduler scheduler;
  Pair pair, other;
  add(scheduler, waiting(log, "reader", *pair.here));
  pair.here.reset();  // now the task has the last copy
  add(scheduler, waiting(log, "other", *other.here));
  bool is_closed = false;
  add(scheduler, [&](int turn) -> std::optional<Yielded> {
    if (turn == 0) return kill_task(1);
    is_closed = ::send(pair.there, "x", 1, 0) == -1;
    other.send();
    return std::nullopt;
  });
  run(scheduler);
  REQUIRE(is_closed);
  REQUIRE(log == Log{"other continues"});
}

TEST_CASE("two tasks send a byte back and forth, with 100 000 waits") {
  Scheduler scheduler;
  Pair pair;
  const Socket there(::dup(pair.there));
  int bytes = 0;
  const auto player = [&bytes](Socket socket) -> Scripted::Script {
    return [&bytes, socket](int turn) -> std::optional<Yielded> {
      char byte = 'x';
      if (turn > 0) {
        bytes += ::recv(socket.fd(), &byte, 1, 0) == 1;
        ::send(socket.fd(), &byte, 1, 0);
      }
      if (turn == 50000) return std::nullopt;
      return wait_for_read(socket);
    };
  };
  add(scheduler, player(*pair.here));
  add(scheduler, player(there));
  pair.send();
  run(scheduler);
  REQUIRE(bytes == 100000);
}
