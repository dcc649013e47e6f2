#include <sys/wait.h>

#include <memory>
#include <stdexcept>
#include <vector>

#include "coop/run.hpp"
#include "coop/uv/file.hpp"
#include "coop/uv/listener.hpp"
#include "coop/uv/poll.hpp"
#include "coop/uv/process.hpp"
#include "coop/uv/signal.hpp"
#include "coop/uv/thread.hpp"
#include "coop/uv/udp.hpp"
#include "coop/uv/watch.hpp"
#include "uv_tcp.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

struct Fired {
  Clock::time_point deadline, at;
};

Coroutine<> fire(std::vector<Fired>* out, Clock::duration after) {
  Timer timer(after);
  co_await timer;
  out->push_back({timer.deadline(), Clock::now()});
}

/// Computes while a timer is started, and waits for it while another task waits for a connection.
Coroutine<> compute_with_listener(std::vector<Fired>* fired, Clock::duration time) {
  Listener listener(any_port);
  const Handle<void> accepting = spawn(accept_one(&listener));
  const Handle<void> timer = spawn(fire(fired, 2ms));
  co_await yield();
  compute(time);
  co_await timer;
  accepting->cancel();
}

/// Counts the runs of libuv's loop while all tasks wait.
Coroutine<> idle(int* runs) {
  Listener listener(any_port);
  const Handle<void> accepting = spawn(accept_one(&listener));
  co_await yield();
  const auto count = [](uv_prepare_t* handle) { ++*static_cast<int*>(handle->data); };
  const auto prepare = make_handle<uv_prepare_t>("", uv_prepare_init, UvReactor::current().loop());
  prepare->data = runs;
  uv_prepare_start(prepare.get(), count);
  co_await sleep(20ms);
  accepting->cancel();
}

Coroutine<> make_one_of_each_kind() {
  const Listener listener(any_port);
  const Signal interrupt(SIGINT);
  const Trigger trigger;
  const Udp udp;
  const Watch watch("/");
  const std::vector<std::string> command{"true"};
  Process child(command, Stdio::pipe, Stdio::pipe);
  Connection ends = co_await make_connection();
  co_await any_of(readable(ends.one.descriptor()), writable(ends.other.descriptor()));
  co_await child.exit();
}

/// One of each kind.
struct Kept {
  Listener listener{any_port};
  Signal signal{SIGUSR1};
  Trigger trigger;
  Udp udp;
  Watch watch{"/"};
  Process child{{"cat"}, Stdio::pipe};
  Connection fresh, used;  // libuv has the second one
  File file;
};

Coroutine<std::unique_ptr<Kept>> keep_one_of_each_kind() {
  auto kept = std::make_unique<Kept>();
  kept->fresh = co_await make_connection(true);
  kept->used = co_await make_connection(true);
  const Handle<std::string> reading = spawn(kept->used.one.read());
  co_await yield();
  co_await kept->used.other.write("x");
  co_await reading;
  kept->file = co_await open_file("/dev/zero");
  co_return std::move(kept);
}

Coroutine<> use_each(Log* out, Kept* kept) {
  const auto drop = [](auto call) -> Coroutine<> { co_await std::move(call); };
  co_await outcome(out, "accept", accept_one(&kept->listener));
  for (Stream* const stream : {&kept->fresh.one, &kept->used.one, &kept->child.input}) {
    co_await outcome(out, "read", drop(stream->read()));
    co_await outcome(out, "write", write_one(stream, "x"));
    co_await outcome(out, "end", stream->end_writing());
    CHECK_THROWS_AS(stream->peer(), UvError);
    CHECK_THROWS_AS(stream->no_delay(), UvError);
  }
  co_await outcome(out, "signal", until(&kept->signal));
  kept->trigger.send();
  co_await outcome(out, "trigger", until(&kept->trigger));
  co_await outcome(out, "receive", drop(kept->udp.receive()));
  co_await outcome(out, "send", kept->udp.send("x", any_port));
  co_await outcome(out, "watch", drop(kept->watch.next()));
  co_await outcome(out, "child", drop(kept->child.exit()));
  co_await outcome(out, "file", read_one(out, &kept->file, 0));
}

/// A handle that counts how many have been freed.
struct Counted : uv_timer_t {
  ~Counted() { ++freed; }
  static inline int freed = 0;
};

void close_one(UvReactor* reactor) {
  make_handle<Counted>("", uv_timer_init, reactor->loop());
}

int count_handles(uv_loop_t* loop) {
  int count = 0;
  uv_walk(loop, [](uv_handle_t*, void* so_far) { ++*static_cast<int*>(so_far); }, &count);
  return count;
}

Coroutine<> wait_next_to_the_inactive(ManualEvent* never) {
  const Listener listener(any_port);
  const Trigger trigger;
  const Signal interrupt(SIGINT);
  co_await *never;
}

Coroutine<> set_when_readable(ManualEvent* event, int descriptor) {
  co_await readable(descriptor);
  event->set();
}

Coroutine<> spin_until(ManualEvent* event) {
  while (!event->is_ready()) {
    co_await yield();
  }
}

Coroutine<std::unique_ptr<int>> move_only() {
  co_await sleep(1ms);
  co_return std::make_unique<int>(7);
}

Coroutine<> wait_for_descriptor(int descriptor) {
  co_await readable(descriptor);
}

Coroutine<> sleep_long(Log* out) {
  co_await outcome(out, "other", sleep(1h));
}

Coroutine<> throw_next_to(Log* out) {
  spawn(sleep_long(out));
  co_await yield();
  throw std::runtime_error("oh");
}

}  // namespace

TEST_CASE("run returns the result of its task", "[step09]") {
  REQUIRE(*coop::run(move_only()) == 7);
}

TEST_CASE("run throws the error of its task after the other tasks were cancelled", "[step09]") {
  Log log;
  REQUIRE_THROWS_WITH(coop::run(throw_next_to(&log)), "oh");
  REQUIRE(log == Log{"other: cancelled: graceful shutdown"});
}

TEST_CASE_METHOD(UvWorld, "a timer that is already due fires although a listener waits",
                 "[step09]") {
  std::vector<Fired> fired;
  scheduler.run(compute_with_listener(&fired, GENERATE(0ms, 10ms)));
  REQUIRE(fired.size() == 1);
}

TEST_CASE_METHOD(UvWorld, "a timer is not early after a long computation", "[step09]") {
  std::vector<Fired> fired;
  compute(40ms);
  const Clock::time_point start = Clock::now();
  scheduler.run(fire(&fired, 20ms));
  REQUIRE(fired.at(0).at - start >= 20ms);
}

TEST_CASE_METHOD(UvWorld, "timers of libuv's reactor fire in order and none is early", "[step09]") {
  std::vector<Fired> fired;
  const Handle<void> never = scheduler.spawn(fire(&fired, Clock::duration::max()));
  for (const int time : {9000, 1500, 3999, 1, 20001, 1500, 3998}) {
    scheduler.spawn(fire(&fired, std::chrono::microseconds(time)));
  }
  scheduler.run([](std::vector<Fired>* all, Task* task) -> Coroutine<> {
    while (all->size() < 7) {
      co_await sleep(1ms);
    }
    task->cancel();
  }(&fired, &*never));
  for (std::size_t i = 0; i < fired.size(); ++i) {
    CHECK(fired[i].at >= fired[i].deadline);
    if (i > 0) CHECK(fired[i].deadline >= fired[i - 1].deadline);
  }
}

TEST_CASE_METHOD(UvWorld, "an idle program uses no CPU time", "[step09]") {
  int runs = 0;
  scheduler.run(idle(&runs));
  REQUIRE(runs <= 3);
}

TEST_CASE_METHOD(UvWorld, "a tick without waiting returns although nothing has happened",
                 "[step09]") {
  Ends pipe(::pipe);
  scheduler.run([](Log* out, Ends* ends) -> Coroutine<> {
    const Handle<void> waiting = spawn(outcome(out, "it", wait_for_descriptor(ends->both[0])));
    co_await yield();
    UvReactor::current().tick(Clock::time_point::min());
    co_await yield();
    CHECK_FALSE(waiting->is_finished());
    ends->close(1);
    UvReactor::current().tick(Clock::time_point::min());
    co_await yield();
    CHECK(waiting->is_finished());
  }(&log, &pipe));
}

TEST_CASE_METHOD(UvWorld, "a tick waits until the given time at most", "[step09]") {
  Ends pipe(::pipe);
  scheduler.run([](int descriptor) -> Coroutine<> {
    const Handle<void> waiting = spawn(wait_for_descriptor(descriptor));
    const Handle<void> sleeping = spawn(sleep(1h));
    co_await yield();
    UvReactor::current().tick(Clock::now() + 5ms);  // and not until one of them happens
    CHECK_FALSE(sleeping->is_finished());
    waiting->cancel();
    sleeping->cancel();
  }(pipe.both[0]));
}

TEST_CASE_METHOD(UvWorld, "a wait for nothing is a deadlock with the reactor of libuv",
                 "[step09]") {
  ManualEvent never;
  scheduler.on_deadlock([](const std::string&) {});
  scheduler.spawn(wait_next_to_the_inactive(&never));
  REQUIRE_THROWS_AS(scheduler.run(), Deadlock);
  REQUIRE_FALSE(reactor.active());
}

TEST_CASE_METHOD(UvWorld, "the reactor of libuv is polled while tasks are ready", "[step09]") {
  ManualEvent event;
  Ends pipe(::pipe);
  pipe.close(1);
  scheduler.spawn(set_when_readable(&event, pipe.both[0]));
  scheduler.spawn(spin_until(&event));
  scheduler.run();
  REQUIRE(event.is_ready());
}

TEST_CASE_METHOD(UvWorld, "a reactor serves one scheduler after the other", "[step09]") {
  scheduler.spawn(outcome(&log, "cancelled", sleep(1h)));
  REQUIRE_THROWS_WITH(scheduler.run(fail("a shutdown")), "a shutdown");
  scheduler.run(outcome(&log, "first", sleep(1ms)));
  Scheduler second(reactor);
  second.run(outcome(&log, "second", sleep(1ms)));
  REQUIRE(log == Log{"cancelled: cancelled: graceful shutdown", "first: done", "second: done"});
}

TEST_CASE_METHOD(World, "an event of libuv needs a running scheduler with a UvReactor",
                 "[step09]") {
  REQUIRE_THROWS_AS(Listener(any_port), std::logic_error);
  scheduler.run(outcome(&log, "with another one", wait_for_descriptor(0)));
  REQUIRE(log == Log{"with another one: This scheduler has no UvReactor: use coop::run()"});
}

TEST_CASE("a reactor is an error when the process is out of file descriptors", "[step09]") {
  const NoDescriptorLeft nothing_left;
  std::exception_ptr error;
  {
    const NoMoreDescriptors none;
    try {
      const UvReactor reactor;
    } catch (...) {
      error = std::current_exception();
    }
  }
  REQUIRE(name_of(error) == "EMFILE");
}

TEST_CASE("an error of libuv says in one line what failed and why", "[step09]") {
  const UvError error(UV_ENOENT, "cannot open a.txt");
  REQUIRE(error.what() == std::string("cannot open a.txt: no such file or directory (ENOENT)"));
  REQUIRE(error.code() == UV_ENOENT);
  REQUIRE(detail::run_in_callback([] { throw UvError(UV_EIO, "oh"); }) == UV_EIO);
  REQUIRE(detail::run_in_callback([] { throw std::bad_alloc(); }) == UV_ENOMEM);
  REQUIRE(detail::run_in_callback([] {}) == 0);
}

TEST_CASE("a closed handle is freed in the next tick or when the reactor is destroyed",
          "[step09]") {
  Counted::freed = 0;
  {
    UvReactor reactor;
    close_one(&reactor);
    REQUIRE(Counted::freed == 0);  // libuv still uses it
    reactor.tick(Clock::time_point::min());
    REQUIRE(Counted::freed == 1);
    close_one(&reactor);
  }
  REQUIRE(Counted::freed == 2);
}

TEST_CASE("what is open is closed at the end of its reactor but a file", "[step09]") {
  const NothingLeft nothing_left;
  const NoDescriptorLeft no_descriptor_left;
  const std::unique_ptr<Kept> kept = coop::run(keep_one_of_each_kind());
  const int pid = kept->child.pid();
  kept->child.kill(SIGKILL);
  ::waitpid(pid, nullptr, 0);  // no reactor does it any longer
  Log log, expected{"accept: ECANCELED"};
  coop::run(use_each(&log, kept.get()));
  for (int i = 0; i < 3; ++i) {
    for (const char* each : {"read", "write", "end"}) {
      expected.push_back(std::string(each) + ": ECANCELED");
    }
  }
  for (const char* each : {"signal", "trigger", "receive", "send", "watch", "child"}) {
    expected.push_back(std::string(each) + ": EBADF");
  }
  expected.insert(expected.end(), {"\"\"", "file: done"});
  REQUIRE(log == expected);
}

TEST_CASE("each event closes its handle", "[step09]") {
  const NoDescriptorLeft nothing_left;
  UvReactor reactor;
  const int before = count_handles(reactor.loop());
  {
    Scheduler scheduler(reactor);
    scheduler.run(make_one_of_each_kind());
  }
  reactor.tick(Clock::time_point::min());  // in which libuv closes them
  REQUIRE(count_handles(reactor.loop()) == before);
}
