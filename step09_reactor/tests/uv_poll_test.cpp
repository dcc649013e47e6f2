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
  co_await yield();
  put(descriptor);
}

void fill(int descriptor) {
  ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
  const std::string text(4096, 'x');
  while (::write(descriptor, text.data(), text.size()) > 0) {
  }
}

void drain(int descriptor) {
  ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
  std::array<char, 4096> buffer;
  while (::read(descriptor, buffer.data(), buffer.size()) > 0) {
  }
}

Coroutine<> read_side(int descriptor) {
  co_await readable(descriptor);
}

/// Only one task gets the byte. The others are woken, too.
Coroutine<> read_byte(int descriptor) {
  co_await readable(descriptor);
  drain(descriptor);
}

Coroutine<> write_side(int descriptor) {
  co_await writable(descriptor);
}

/// Counts the iterations of libuv's loop.
UvHandle<uv_prepare_t> count_iterations(UvReactor& reactor, int* count) {
  auto prepare = make_handle<uv_prepare_t>("cannot count", uv_prepare_init, reactor.loop());
  prepare->data = count;
  uv_prepare_start(prepare.get(), [](uv_prepare_t* at) { ++*static_cast<int*>(at->data); });
  return prepare;
}

/// Counts the descriptors that libuv polls.
int count_polled(UvReactor* reactor) {
  int count = 0;
  const auto add = [](uv_handle_t* handle, void* so_far) {
    if (handle->type == UV_POLL && uv_is_active(handle)) ++*static_cast<int*>(so_far);
  };
  uv_walk(reactor->loop(), add, &count);
  return count;
}

/// The system gives the number of a closed descriptor to the next one.
Coroutine<> use_number_again(Log* out) {
  int number = -1;
  for (const char* round : {"1", "2", "3"}) {
    Ends pipe(::pipe);
    CHECK((number == -1 || number == pipe.both[0]));
    number = pipe.both[0];
    spawn(put_soon(pipe.both[1]));
    co_await outcome(out, round, read_side(number));
  }
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "all tasks that wait for a descriptor are woken", "[step09]") {
  Ends pipe(::pipe);
  scheduler.spawn(outcome(&log, "1", read_byte(pipe.both[0])));
  const Handle<void> second = scheduler.spawn(outcome(&log, "2", read_side(pipe.both[0])));
  scheduler.spawn(outcome(&log, "3", read_byte(pipe.both[0])));
  scheduler.spawn([](Task* task, int descriptor) -> Coroutine<> {
    task->cancel();
    co_await yield();
    put(descriptor);
  }(&*second, pipe.both[1]));
  scheduler.run();
  REQUIRE(log == Log{"2: cancelled: cancelled", "1: done", "3: done"});
}

TEST_CASE_METHOD(UvWorld, "a descriptor is polled only while a task waits for it", "[step09]") {
  Ends pipe(::pipe);
  put(pipe.both[1]);
  scheduler.spawn([](UvReactor* uv, int descriptor) -> Coroutine<> {
    Poll poll = readable(descriptor);
    co_await yield();
    CHECK(count_polled(uv) == 0);
    co_await poll;
    CHECK(count_polled(uv) == 0);
  }(&reactor, pipe.both[0]));
  scheduler.spawn([](UvReactor* uv) -> Coroutine<> {
    co_await yield();
    CHECK(count_polled(uv) == 1);
  }(&reactor));
  scheduler.run();
}

TEST_CASE_METHOD(UvWorld, "a descriptor has a reader and a writer at the same time", "[step09]") {
  Ends sockets(socketpair);
  fill(sockets.both[0]);
  Handle<void> first = scheduler.spawn(outcome(&log, "reader", read_side(sockets.both[0])));
  Handle<void> second = scheduler.spawn(outcome(&log, "writer", write_side(sockets.both[0])));
  SECTION("the reader is woken while the writer waits") {
    put(sockets.both[1]);
  }
  SECTION("the writer is woken while the reader waits") {
    std::swap(first, second);
    drain(sockets.both[1]);
  }
  scheduler.run([](Task* woken, Task* waits) -> Coroutine<> {
    co_await *woken;
    CHECK_FALSE(waits->is_finished());
    waits->cancel();
  }(&*first, &*second));
  REQUIRE(log.size() == 2);
}

TEST_CASE_METHOD(UvWorld, "a descriptor is no longer polled for a task that has left", "[step09]") {
  Ends sockets(socketpair);
  fill(sockets.both[0]);
  int iterations = 0;
  const UvHandle<uv_prepare_t> counting = count_iterations(reactor, &iterations);
  scheduler.run([](Ends* both, Log* out, int* count) -> Coroutine<> {
    const int descriptor = both->both[0];
    const Handle<void> reader = spawn(outcome(out, "reader", read_side(descriptor)));
    const Handle<void> writer = spawn(outcome(out, "writer", write_side(descriptor)));
    co_await yield();
    writer->cancel();
    co_await writer;
    drain(both->both[1]);  // now there is room to write, but nothing to read
    const int before = *count;
    co_await sleep(100ms);
    CHECK(*count - before < 10);
    put(both->both[1]);
    co_await reader;
  }(&sockets, &log, &iterations));
  REQUIRE(log == Log{"writer: cancelled: cancelled", "reader: done"});
}

TEST_CASE_METHOD(UvWorld, "a descriptor is readable and writable when its peer has closed",
                 "[step09]") {
  Ends pipe(::pipe), full(::pipe);
  fill(full.both[1]);
  scheduler.spawn(outcome(&log, "reader", read_side(pipe.both[0])));
  scheduler.spawn(outcome(&log, "writer", write_side(full.both[1])));
  scheduler.spawn([](Ends* first, Ends* second) -> Coroutine<> {
    co_await sleep(1ms);
    first->close(1);
    second->close(0);
  }(&pipe, &full));
  scheduler.run();
  std::sort(log.begin(), log.end());
  REQUIRE(log == Log{"reader: done", "writer: done"});
}

TEST_CASE_METHOD(UvWorld, "a file cannot be waited for", "[step09]") {
  std::FILE* const file = std::tmpfile();
  scheduler.run(outcome(&log, "file", read_side(::fileno(file))));
  scheduler.run(outcome(&log, "again", write_side(::fileno(file))));
  std::fclose(file);
  scheduler.run(outcome(&log, "none", write_side(-1)));
  REQUIRE(log == Log{"file: EPERM", "again: EPERM", "none: EBADF"});
  REQUIRE_FALSE(reactor.active());
}

TEST_CASE_METHOD(UvWorld, "a number that a new descriptor gets is polled again", "[step09]") {
  scheduler.run(use_number_again(&log));
  REQUIRE(log == Log{"1: done", "2: done", "3: done"});
}
