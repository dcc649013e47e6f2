#include <csignal>
#include <future>

#include "coop/uv/command.hpp"
#include "coop/uv/file.hpp"
#include "coop/uv/poll.hpp"
#include "coop/uv/signal.hpp"
#include "coop/uv/thread.hpp"
#include "coop/uv/udp.hpp"
#include "coop/uv/watch.hpp"
#include "uv_files.hpp"
#include "uv_tcp.hpp"

// Everything outside that a task can wait for: the wait is cancelled, gets a timeout, and is
// destroyed.

using namespace coop;
using namespace std::chrono_literals;

namespace {

/// What doesn't happen before the end of a test.
struct Never {
  Fifo fifo;
  std::promise<void> end;
  std::shared_future<void> may_end = end.get_future();
};

template <typename T>
Coroutine<> drop(Coroutine<T> body) {
  co_await std::move(body);
}

/// `wait` returns a coroutine that waits in its first turn.
Coroutine<> keep_contract(Log* out, std::function<Coroutine<>()> wait) {
  const Handle<void> task = spawn(outcome(out, "one", wait()));
  co_await yield();
  task->cancel();
  co_await task;
  co_await outcome(out, "late", with_timeout(1ms, wait()));
  spawn(outcome(out, "destroyed", wait()));
  co_await yield();
  co_await yield();  // in the second turn, a task that it has spawned waits
  Scheduler::current().shuffle([](std::size_t) -> std::size_t { throw Stopped(); });
  co_await yield();
}

Coroutine<> of_signal(Log* out, const Never*) {
  Signal event(SIGUSR1);
  const auto wait = [&event] { return until(&event); };
  co_await keep_contract(out, wait);
}

Coroutine<> of_trigger(Log* out, const Never*) {
  Trigger event;
  const auto wait = [&event] { return until(&event); };
  co_await keep_contract(out, wait);
}

Coroutine<> of_descriptor(Log* out, const Never*) {
  const Ends pipe(::pipe);
  Poll event = readable(pipe.both[0]);
  const auto wait = [&event] { return until(&event); };
  co_await keep_contract(out, wait);
}

Coroutine<> of_connection(Log* out, const Never*) {
  Listener listener(any_port);
  const auto wait = [&listener] { return drop(listener.accept()); };
  co_await keep_contract(out, wait);
}

Coroutine<> of_reading(Log* out, const Never*) {
  Connection ends = co_await make_connection();
  const auto wait = [&ends] { return drop(ends.one.read()); };
  co_await keep_contract(out, wait);
}

Coroutine<> of_writing(Log* out, const Never*) {
  Connection ends = co_await make_connection();
  const auto wait = [&ends] { return ends.one.write(std::string(very_much, 'x')); };
  co_await keep_contract(out, wait);
}

Coroutine<> of_datagram(Log* out, const Never*) {
  Udp udp;
  udp.bind(any_port);
  const auto wait = [&udp] { return drop(udp.receive()); };
  co_await keep_contract(out, wait);
}

Coroutine<> of_change(Log* out, const Never* never) {
  Watch watch(never->fifo.path());
  const auto wait = [&watch] { return drop(watch.next()); };
  co_await keep_contract(out, wait);
}

Coroutine<> of_child(Log* out, const Never*) {
  Process cat({"cat"}, Stdio::pipe);
  const auto wait = [&cat] { return drop(cat.exit()); };
  co_await keep_contract(out, wait);
}

Coroutine<> of_command(Log* out, const Never* never) {
  const auto wait = [never] { return drop(run_command("exec cat " + never->fifo.path())); };
  co_await keep_contract(out, wait);
}

Coroutine<> of_file(Log* out, const Never* never) {
  File fifo = co_await open_file(never->fifo.path(), O_RDWR);
  const auto wait = [&fifo] { return drop(fifo.read(1)); };
  co_await keep_contract(out, wait);
}

Coroutine<> of_thread(Log* out, const Never* never) {
  const auto work = [never] { never->may_end.wait(); };
  const auto wait = [&work] { return blocking(work); };
  co_await keep_contract(out, wait);
}

Coroutine<> of_opening(Log* out, const Never* never) {
  const auto work = [never] { never->may_end.wait(); };
  for (int i = 0; i < 4; ++i) spawn(blocking(work));  // all threads are busy
  co_await yield();
  const auto wait = [] { return drop(open_file("/dev/null")); };
  co_await keep_contract(out, wait);
}

Coroutine<> of_lookup(Log* out, const Never* never) {
  const auto work = [never] { never->may_end.wait(); };
  for (int i = 0; i < 4; ++i) spawn(blocking(work));
  co_await yield();
  const auto wait = [] { return drop(resolve("127.0.0.1", "80")); };
  co_await keep_contract(out, wait);
}

}  // namespace

TEST_CASE("each wait can be cancelled or get a timeout or be destroyed", "[step09]") {
  Never never;
  UvWorld world;
  const auto kind = GENERATE(of_signal, of_trigger, of_descriptor, of_connection, of_reading,
                             of_writing, of_datagram, of_change, of_child, of_command, of_file,
                             of_thread, of_opening, of_lookup);
  REQUIRE_THROWS_AS(world.scheduler.run(kind(&world.log, &never)), Stopped);
  REQUIRE(world.log == Log{"one: cancelled: cancelled", "late: The time is over"});
  REQUIRE(world.reactor.active());
  never.end.set_value();
  never.fifo.put("abc");  // for the threads that still read
}
