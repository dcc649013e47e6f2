#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <any_catch2.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wait.hpp"

namespace {

int polls = 0;
std::function<void()> when_all_wait;  // runs if poll() would wait

}  // namespace

/// Takes the place of poll(2), so that the tests see how it is called. It never waits. A call
/// without descriptors isn't counted, because it does no harm.
int poll(pollfd* polled, nfds_t size, int timeout) {
  if (size > 0 && ++polls > 1000) FAIL("run() polls again and again");
  const timespec no_time{};
  const int ready = ::ppoll(polled, size, &no_time, nullptr);
  if (timeout == 0 || ready != 0) return ready;
  when_all_wait();
  return ::ppoll(polled, size, &no_time, nullptr);
}

namespace {

struct Pair {
  Pair() {
    int ends[2];
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends) == 0);
    here.emplace(ends[0]);
    there.emplace(ends[1]);
  }
  std::optional<Socket> here, there;
};

/// A task that yields the requests in a list, one after the other, and logs its turns.
class Requests final : public Coroutine {
 public:
  Requests(std::string name, std::vector<Yielded> requests, std::string& log)
      : name_(std::move(name)), requests_(std::move(requests)), log_(log) {}

 private:
  std::string name_;
  std::vector<Yielded> requests_;
  std::string& log_;
  std::size_t next_ = 0;

  std::optional<Yielded> resume(Value) override {
    log_ += name_;
    if (next_ == requests_.size()) return std::nullopt;
    return requests_[next_++];
  }
};

/// Returns the turns of tasks A, B, ... that yield these requests. `event` happens when all wait.
std::string turns(const std::vector<std::vector<Yielded>>& tasks, std::function<void()> event) {
  std::string log;
  Scheduler scheduler;
  char name = 'A';
  for (const auto& requests : tasks) {
    scheduler.new_task(std::make_shared<Requests>(std::string(1, name++), requests, log));
  }
  polls = 0;
  when_all_wait = std::move(event);
  scheduler.run();
  return log;
}

void no_wait() {
  FAIL("run() waits, although a task is ready or a socket is ready");
}

/// A request that only ends the turn.
const Yielded end_of_turn = Nothing{};

}  // namespace

TEST_CASE("a task that waits to read is woken when there is something to read") {
  const Pair pair;
  const auto log = turns({{wait_for_read(*pair.here)}}, [&] { pair.there->write("x"); });
  REQUIRE(log == "AA");
}

TEST_CASE("run waits in poll when all tasks wait") {
  const Pair pair;
  turns({{wait_for_read(*pair.here)}}, [&] { pair.there->write("x"); });
  REQUIRE(polls == 1);
}

TEST_CASE("run does not wait while a task is ready") {
  const Pair pair;
  const auto write = SystemCall([&](TaskId asker, Scheduler& scheduler) {
    pair.there->write("x");
    scheduler.schedule(asker);
  });
  const std::vector<Yielded> reader = {wait_for_read(*pair.here)};
  const auto log = turns({reader, {end_of_turn, end_of_turn, write}}, no_wait);
  REQUIRE(log == "ABBBBA");
}

TEST_CASE("a task that waits to read is not woken because the socket is writable") {
  const Pair pair;
  const std::vector<Yielded> reader = {wait_for_read(*pair.here)};
  const std::vector<Yielded> writer = {wait_for_write(*pair.here)};
  const auto log = turns({reader, writer}, [&] { pair.there->write("x"); });
  REQUIRE(log == "ABBA");
}

TEST_CASE("a task that has been woken no longer waits") {
  const Pair pair;
  pair.there->write("x");
  const std::vector<Yielded> reader = {wait_for_read(*pair.here), end_of_turn, end_of_turn};
  const auto log = turns({reader, {end_of_turn, end_of_turn, end_of_turn, end_of_turn}}, no_wait);
  REQUIRE(log == "ABBABABAB");
}

TEST_CASE("a task is woken when the peer has closed the connection") {
  Pair pair;
  const auto log = turns({{wait_for_read(*pair.here)}}, [&] { pair.there.reset(); });
  REQUIRE(log == "AA");
}

TEST_CASE("a task is woken by an error that it did not ask for") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const Socket writing_end(ends[1]);
  ::close(ends[0]);
  const auto log = turns({{wait_for_read(writing_end)}}, no_wait);  // POLLERR
  REQUIRE(log == "AA");
}
