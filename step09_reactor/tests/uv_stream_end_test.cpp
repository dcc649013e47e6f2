#include <stdexcept>

#include "uv_tcp.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

/// The peer goes while this one waits, or before.
Coroutine<> read_after(Log* out, void (*end)(Stream*), bool waits) {
  const Connection ends = co_await make_connection();
  if (!waits) end(ends.other.get());
  const Handle<void> reading = spawn(outcome(out, "read", read_one(out, ends.one.get())));
  co_await suspend();
  if (waits) end(ends.other.get());
  co_await reading;
  co_await outcome(out, "again", read_one(out, ends.one.get()));
}

/// Writes until it is told that nobody reads.
Coroutine<> write_on(Stream* stream) {
  for (;;) {
    co_await stream->write(std::string(1000, 'x'));
    co_await suspend();
  }
}

Coroutine<> write_to_gone(Log* out, void (*end)(Stream*)) {
  const Connection ends = co_await make_connection();
  end(ends.other.get());
  co_await outcome(out, "write", write_on(ends.one.get()));
}

Coroutine<> write_to_leaving(Log* out) {
  const Connection ends = co_await make_connection();
  const Handle<void> writing =
      spawn(outcome(out, "write", ends.one->write(std::string(very_much, 'x'))));
  co_await ends.other->read();
  ends.other->close();
  co_await writing;
}

Coroutine<> close_under_all(Log* out) {
  const Connection ends = co_await make_connection();
  std::vector<Handle<void>> tasks;
  tasks.push_back(spawn(outcome(out, "read", read_one(out, ends.one.get()))));
  tasks.push_back(spawn(outcome(out, "write", ends.one->write(std::string(very_much, 'x')))));
  tasks.push_back(spawn(outcome(out, "write", ends.one->write("more"))));
  tasks.push_back(spawn(outcome(out, "end", ends.one->end_writing())));
  co_await suspend();
  ends.one->close();
  ends.one->close();
  for (const Handle<void>& task : tasks) {
    co_await task;
  }
  co_await outcome(out, "read", read_one(out, ends.one.get()));
  co_await outcome(out, "write", ends.one->write("x"));
  co_await outcome(out, "end", ends.one->end_writing());
}

Coroutine<> read_twice(Log* out) {
  const Connection ends = co_await make_connection();
  const Handle<void> first = spawn(outcome(out, "first", read_one(out, ends.one.get())));
  co_await suspend();
  co_await outcome(out, "second", read_one(out, ends.one.get()));
  co_await ends.other->write("x");
  co_await first;
  co_await ends.other->write("y");
  co_await outcome(out, "third", read_one(out, ends.one.get()));
}

/// What has been handed over is written, though the task has gone.
Coroutine<> cancel_write(Log* out) {
  Connection ends = co_await make_connection();
  const std::string bytes = bytes_from(3);
  const Handle<void> writing = spawn(outcome(out, "write", ends.one->write(bytes)));
  co_await suspend();
  writing->cancel();
  co_await writing;
  const Handle<void> ending = spawn(ends.one->end_writing());
  const std::string got = co_await read_all(ends.other.get());
  out->push_back(got == bytes ? "all" : "not all");
  co_await ending;
}

Coroutine<> read_and_cancel(Log* out, Io* io, std::vector<Handle<void>>* all, std::size_t other) {
  const std::string bytes = co_await io->read();
  out->push_back(bytes);
  (*all)[other]->cancel();
}

/// Both have bytes in the same tick; the first one to read cancels the other one.
Coroutine<> cancel_read_with_bytes(Log* out) {
  const Connection first = co_await make_connection();
  const Connection second = co_await make_connection();
  std::vector<Handle<void>> tasks;
  tasks.push_back(spawn(outcome(out, "read", read_and_cancel(out, first.one.get(), &tasks, 1))));
  tasks.push_back(spawn(outcome(out, "read", read_and_cancel(out, second.one.get(), &tasks, 0))));
  co_await suspend();
  for (const Connection* const each : {&first, &second}) {
    co_await each->other->write("bytes");
    each->other->close();
  }
  for (const Handle<void>& task : tasks) {
    co_await task;
  }
  for (const Connection* const each : {&first, &second}) {
    const std::string rest = co_await read_all(each->one.get());
    out->push_back(rest);
  }
}

/// The peer has gone before anybody reads.
Coroutine<> read_end_that_is_there(std::uint64_t* turns) {
  const Connection ends = co_await make_connection();
  ends.other->close();
  const std::uint64_t before = Scheduler::current().turns();
  co_await ends.one->read();
  *turns = Scheduler::current().turns() - before;
}

Coroutine<> check_read(Log* out) {
  const Connection ends = co_await make_connection();
  const auto read = [out, &ends] { return read_one(out, ends.one.get()); };
  co_await keep_contract(out, read);
}

Coroutine<> check_write(Log* out) {
  const Connection ends = co_await make_connection();
  const auto write = [&ends] { return ends.one->write(std::string(very_much, 'x')); };
  co_await keep_contract(out, write);
}

Coroutine<> check_end(Log* out) {
  const Connection ends = co_await make_connection();
  co_await outcome(out, "write", with_timeout(1ms, ends.one->write(std::string(very_much, 'x'))));
  out->clear();
  const Handle<void> task = spawn(outcome(out, "one", ends.one->end_writing()));
  co_await suspend();
  task->cancel();
  co_await task;
}

void leave(Stream* stream) {
  stream->close();
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a peer that closes is the end", "[step09]") {
  scheduler.run(read_after(&log, leave, GENERATE(true, false)));
  REQUIRE(log == Log{"\"\"", "read: done", "\"\"", "again: done"});
}

TEST_CASE_METHOD(UvWorld, "an end that is there already costs no turn", "[step09]") {
  std::uint64_t turns = 1000;
  scheduler.run(read_end_that_is_there(&turns));
  REQUIRE(turns == 0);
}

TEST_CASE_METHOD(UvWorld, "a peer that resets is an error", "[step09]") {
  scheduler.run(read_after(&log, reset, GENERATE(true, false)));
  REQUIRE(log == Log{"read: ECONNRESET", "again: ECONNRESET"});
}

TEST_CASE_METHOD(UvWorld, "writing to a peer that has gone is an error", "[step09]") {
  scheduler.run(write_to_gone(&log, GENERATE(&leave, &reset)));
  REQUIRE(log.size() == 1);
  REQUIRE((log[0] == "write: EPIPE" || log[0] == "write: ECONNRESET"));
}

TEST_CASE_METHOD(UvWorld, "8 MiB for a reader that leaves are an error", "[step09]") {
  scheduler.run(write_to_leaving(&log));
  REQUIRE(log.size() == 1);
  REQUIRE((log[0] == "write: EPIPE" || log[0] == "write: ECONNRESET"));
}

TEST_CASE_METHOD(UvWorld, "all who wait for a stream are told when another task closes it",
                 "[step09]") {
  scheduler.run(close_under_all(&log));
  REQUIRE(log == Log{"read: ECANCELED", "write: ECANCELED", "write: ECANCELED", "end: ECANCELED",
                     "read: EBADF", "write: EBADF", "end: EBADF"});
}

TEST_CASE_METHOD(UvWorld, "a second reader is refused and harms nobody", "[step09]") {
  scheduler.run(read_twice(&log));
  REQUIRE(log == Log{"second: Somebody else is reading this stream", "\"x\"", "first: done",
                     "\"y\"", "third: done"});
}

TEST_CASE_METHOD(UvWorld, "what was handed over is written though its task is cancelled",
                 "[step09]") {
  scheduler.run(cancel_write(&log));
  REQUIRE(log == Log{"write: cancelled: cancelled", "all"});
}

TEST_CASE_METHOD(UvWorld, "bytes that came before a reader was cancelled are not lost",
                 "[step09]") {
  scheduler.run(cancel_read_with_bytes(&log));
  REQUIRE(std::count(log.begin(), log.end(), "bytes") == 2);
}

TEST_CASE_METHOD(UvWorld, "a read is cancelled, ended in time, and destroyed", "[step09]") {
  check_contract(this, check_read(&log));
}

TEST_CASE_METHOD(UvWorld, "a write is cancelled, ended in time, and destroyed", "[step09]") {
  check_contract(this, check_write(&log));
}

TEST_CASE_METHOD(UvWorld, "a wait for the end of writing is cancelled", "[step09]") {
  scheduler.run(check_end(&log));
  REQUIRE(log == Log{"one: cancelled: cancelled"});
}
