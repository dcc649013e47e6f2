#include <sys/socket.h>

#include <cstdio>

#include "coop/uv/poll.hpp"
#include "uv_world.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

int socketpair(int* both) {
  return ::socketpair(AF_UNIX, SOCK_STREAM, 0, both);
}

void put(int descriptor) {
  REQUIRE(::write(descriptor, "x", 1) == 1);
}

Coroutine<> put_soon(int descriptor) {
  co_await suspend();
  put(descriptor);
}

void fill(int descriptor) {
  ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
  const std::string text(4096, 'x');
  while (::write(descriptor, text.data(), text.size()) > 0) {
  }
}

Coroutine<> wait_with_timer(Log* out, int descriptor, Clock::duration time) {
  Poll poll(descriptor, Poll::For::reading);
  Timer timer(Scheduler::current().reactor(), time);
  co_await wait_for_any(out, &poll, &timer);
}

Coroutine<> wait_twice_at_once(Poll* poll) {
  co_await wait_any(*poll, *poll);
}

Coroutine<> wait_with_one_poll(Log* out) {
  const Ends ends(socketpair);
  Poll poll(ends.both[0], Poll::For::reading);
  const Handle<void> first = spawn(report(out, "1", until(&poll)));
  co_await suspend();
  co_await report(out, "2", until(&poll));
  put(ends.both[1]);
  co_await report(out, "twice", wait_twice_at_once(&poll));
  co_await first;
  co_await report(out, "3", until(&poll));
}

Coroutine<> wait_for_both_sides(Log* out, int descriptor) {
  Poll reading(descriptor, Poll::For::reading), writing(descriptor, Poll::For::writing);
  co_await wait_for_any(out, &reading, &writing);
}

Coroutine<> measure(double* seconds) {
  const double before = processor_seconds();
  co_await delay(250ms);
  *seconds = processor_seconds() - before;
}

/// A descriptor's number is given again, to something else.
Coroutine<> use_number_again(Log* out) {
  int number = -1;
  for (const char* round : {"1", "2", "3"}) {
    Ends pipe(::pipe);
    out->push_back(number == -1 || number == pipe.both[0] ? "same" : "another");
    number = pipe.both[0];
    spawn(put_soon(pipe.both[1]));
    co_await outcome(out, round, readable(number));
  }
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "all who wait for a descriptor to read are told", "[step09]") {
  Ends pipe(::pipe);
  scheduler.spawn(outcome(&log, "1", readable(pipe.both[0])));
  scheduler.spawn(outcome(&log, "2", readable(pipe.both[0])));
  scheduler.spawn(put_soon(pipe.both[1]));
  scheduler.run();
  REQUIRE(log == Log{"1: done", "2: done"});
}

TEST_CASE_METHOD(UvWorld, "what is readable or writable already is told", "[step09]") {
  Ends pipe(::pipe);
  put(pipe.both[1]);
  scheduler.run(outcome(&log, "reader", readable(pipe.both[0])));
  scheduler.run(outcome(&log, "writer", writable(pipe.both[1])));
  REQUIRE(log == Log{"reader: done", "writer: done"});
}

TEST_CASE_METHOD(UvWorld, "one descriptor has a reader and a writer at once", "[step09]") {
  Ends sockets(socketpair);
  scheduler.spawn(outcome(&log, "reader", readable(sockets.both[0])));
  scheduler.spawn([](Log* out, Ends* ends) -> Coroutine<> {
    co_await outcome(out, "writer", writable(ends->both[0]));
    put(ends->both[1]);
  }(&log, &sockets));
  scheduler.run();
  REQUIRE(log == Log{"writer: done", "reader: done"});
}

TEST_CASE_METHOD(UvWorld, "a reader is told while a writer of the same descriptor has no room",
                 "[step09]") {
  Ends sockets(socketpair);
  fill(sockets.both[0]);
  const Handle<void> writer = scheduler.spawn(outcome(&log, "writer", writable(sockets.both[0])));
  scheduler.spawn([](Log* out, Ends* ends, Task* waiting) -> Coroutine<> {
    put(ends->both[1]);
    co_await outcome(out, "reader", readable(ends->both[0]));
    waiting->cancel();
  }(&log, &sockets, &*writer));
  scheduler.run();
  REQUIRE(log == Log{"reader: done", "writer: cancelled: cancelled"});
}

TEST_CASE_METHOD(UvWorld, "what a reader has not taken costs nothing while a writer waits",
                 "[step09]") {
  Ends sockets(socketpair);
  fill(sockets.both[0]);
  put(sockets.both[1]);
  double seconds = 0;
  scheduler.spawn(outcome(&log, "writer", with_timeout(300ms, writable(sockets.both[0]))));
  scheduler.spawn(outcome(&log, "reader", readable(sockets.both[0])));
  scheduler.spawn(measure(&seconds));
  scheduler.run();
  REQUIRE(log == Log{"reader: done", "writer: The time is over"});
  REQUIRE(seconds < 0.1);
}

TEST_CASE_METHOD(UvWorld, "one task waits for both sides of one descriptor", "[step09]") {
  Ends sockets(socketpair);
  SECTION("room to write") {
    scheduler.run(wait_for_both_sides(&log, sockets.both[0]));
    REQUIRE(log == Log{"it was 1", "on"});
  }
  SECTION("both") {
    put(sockets.both[1]);
    scheduler.run(wait_for_both_sides(&log, sockets.both[0]));
    REQUIRE(log == Log{"it was 0", "on"});
  }
}

TEST_CASE_METHOD(UvWorld, "a peer that has gone is readable and writable", "[step09]") {
  Ends pipe(::pipe), full(::pipe);
  fill(full.both[1]);
  scheduler.spawn(outcome(&log, "reader", readable(pipe.both[0])));
  scheduler.spawn(outcome(&log, "writer", writable(full.both[1])));
  scheduler.spawn([](Ends* first, Ends* second) -> Coroutine<> {
    co_await delay(1ms);
    first->close(1);
    second->close(0);
  }(&pipe, &full));
  scheduler.run();
  std::sort(log.begin(), log.end());
  REQUIRE(log == Log{"reader: done", "writer: done"});
}

TEST_CASE_METHOD(UvWorld, "a descriptor that cannot be waited for is an error", "[step09]") {
  std::FILE* const file = std::tmpfile();
  scheduler.run(outcome(&log, "file", readable(::fileno(file))));
  scheduler.run(outcome(&log, "again", writable(::fileno(file))));
  std::fclose(file);
  scheduler.run(outcome(&log, "none", writable(-1)));
  REQUIRE(log == Log{"file: EPERM", "again: EPERM", "none: EBADF"});
  REQUIRE_FALSE(reactor.active());
}

TEST_CASE_METHOD(UvWorld, "of several waits for one descriptor one is cancelled", "[step09]") {
  Ends pipe(::pipe);
  scheduler.spawn(outcome(&log, "1", readable(pipe.both[0])));
  const Handle<void> second = scheduler.spawn(outcome(&log, "2", readable(pipe.both[0])));
  scheduler.spawn(outcome(&log, "3", readable(pipe.both[0])));
  scheduler.spawn(cancel(&*second));
  scheduler.spawn(put_soon(pipe.both[1]));
  scheduler.run();
  REQUIRE(log == Log{"2: cancelled: cancelled", "1: done", "3: done"});
}

TEST_CASE_METHOD(UvWorld, "a Poll is for one wait at a time", "[step09]") {
  scheduler.run(wait_with_one_poll(&log));
  const std::string refused = ": This Poll is being waited for already";
  REQUIRE(log == Log{"2" + refused, "twice" + refused, "1: done", "3: done"});
}

TEST_CASE_METHOD(UvWorld, "a number that a new descriptor got is waited for anew", "[step09]") {
  scheduler.run(use_number_again(&log));
  REQUIRE(log == Log{"same", "1: done", "same", "2: done", "same", "3: done"});
}

TEST_CASE_METHOD(UvWorld, "a descriptor or a timer, what comes first", "[step09]") {
  Ends pipe(::pipe);
  scheduler.run(wait_with_timer(&log, pipe.both[0], 1ms));
  put(pipe.both[1]);
  scheduler.run(wait_with_timer(&log, pipe.both[0], 1h));
  REQUIRE(log == Log{"it was 1", "on", "it was 0", "on"});
  REQUIRE_FALSE(reactor.active());
}

TEST_CASE_METHOD(UvWorld, "a wait for a descriptor is cancelled, ended in time, and destroyed",
                 "[step09]") {
  Ends pipe(::pipe);
  check_contract(this, keep_contract(&log, [&pipe] { return readable(pipe.both[0]); }));
}
