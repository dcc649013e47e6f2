#include <sys/ioctl.h>

#include <stdexcept>

#include "coop/uv/line_reader.hpp"
#include "uv_tcp.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> echo(Io* io) {
  for (;;) {
    std::string bytes = co_await io->read();
    if (bytes.empty()) co_return;
    co_await io->write(std::move(bytes));
  }
}

Coroutine<> send(Stream* stream, std::string bytes) {
  co_await stream->write(std::move(bytes));
  co_await stream->end_writing();
}

Coroutine<> expect(Log* out, Io* io, std::string expected) {
  const std::string got = co_await read_all(io);
  out->push_back(got == expected ? "all" : std::to_string(got.size()) + " bytes, or others");
}

Coroutine<> talk(Log* out) {
  const Connection ends = co_await make_connection();
  const Handle<void> echoing = spawn(echo(ends.other.get()));
  for (const char* each : {"a", "bc", "def"}) {
    co_await ends.one->write(each);
    co_await read_one(out, ends.one.get());
  }
  ends.one->close();
  co_await echoing;
}

/// To ask for no byte takes none, and says nothing of the end.
Coroutine<> read_nothing(Log* out) {
  const Connection ends = co_await make_connection();
  co_await ends.other->write("hello");
  const std::string nothing = co_await ends.one->read(0);
  out->push_back(nothing);
  co_await read_one(out, ends.one.get());
  ends.other->close();
  co_await read_one(out, ends.one.get());
}

/// The first line comes in two pieces, the second one of which has more lines.
Coroutine<> read_lines(Log* out) {
  const Connection ends = co_await make_connection();
  LineReader reader(*ends.one);
  const Handle<std::string> reading = spawn(reader.read_line());
  for (const char* each : {"ab", "c\nde\n\nf"}) {
    co_await ends.other->write(each);
    UvReactor::current().tick(false);
    co_await suspend();
  }
  ends.other->close();
  std::string line = co_await reading;
  while (!line.empty()) {
    out->push_back(line);
    line = co_await reader.read_line();
  }
}

Coroutine<> send_both_ways(Log* out) {
  const Connection ends = co_await make_connection();
  std::vector<Handle<void>> tasks;
  tasks.push_back(spawn(send(ends.one.get(), bytes_from(1))));
  tasks.push_back(spawn(send(ends.other.get(), bytes_from(2))));
  tasks.push_back(spawn(expect(out, ends.one.get(), bytes_from(2))));
  tasks.push_back(spawn(expect(out, ends.other.get(), bytes_from(1))));
  for (const Handle<void>& task : tasks) {
    co_await task;
  }
}

Coroutine<> read_after_end(Log* out) {
  const Connection ends = co_await make_connection();
  co_await ends.other->write("bye");
  ends.other->close();
  for (int i = 0; i < 4; ++i) {
    co_await read_one(out, ends.one.get());
  }
}

Coroutine<> read_small(Log* out) {
  const Connection ends = co_await make_connection();
  co_await ends.other->write("abcde");
  for (const std::size_t most : {1u, 3u, 2u}) {
    const std::string bytes = co_await ends.one->read(most);
    out->push_back(bytes);
  }
  spawn(outcome(out, "", ends.other->write("fghij")));
  for (const std::size_t most : {2u, 9u}) {  // now it has to wait
    const std::string bytes = co_await ends.one->read(most);
    out->push_back(bytes);
  }
}

Coroutine<> write_from_many(Log* out) {
  const Connection ends = co_await make_connection();
  std::string expected;
  std::vector<Handle<void>> tasks;
  for (unsigned i = 0; i < 12; ++i) {
    const std::string bytes = bytes_from(i, i % 3 == 0 ? very_much / 8 : 5);
    expected += bytes;
    tasks.push_back(spawn(outcome(out, std::to_string(i), ends.one->write(bytes))));
  }
  const Handle<void> reading = spawn(expect(out, ends.other.get(), expected));
  for (const Handle<void>& task : tasks) {
    co_await task;
  }
  co_await ends.one->end_writing();
  co_await reading;
}

/// The answer comes although the one that gets it has ended its side.
Coroutine<> half_close(Log* out) {
  const Connection ends = co_await make_connection();
  co_await send(ends.one.get(), "question");
  co_await expect(out, ends.other.get(), "question");
  co_await outcome(out, "write", ends.one->write("more"));
  co_await outcome(out, "end", ends.one->end_writing());
  co_await send(ends.other.get(), "answer");
  co_await expect(out, ends.one.get(), "answer");
}

/// The system would have taken all of it if anybody had read on.
Coroutine<> write_to_idle(Log* out) {
  const Connection ends = co_await make_connection();
  const Handle<void> reading = spawn(read_one(out, ends.one.get()));
  co_await suspend();
  co_await ends.other->write("x");
  co_await reading;
  const std::string more(very_much, 'x');
  co_await outcome(out, "more", with_timeout(100ms, ends.other->write(more)));
}

/// As another process that has the socket open, too: takes the first byte before libuv does.
void steal(uv_async_t* thief) {
  char byte = 0;
  CHECK(::recv(*static_cast<int*>(thief->data), &byte, 1, MSG_DONTWAIT) == 1);
}

Coroutine<> be_robbed(Log* out, uv_loop_t* loop) {
  const Connection ends = co_await make_connection();
  int descriptor = ends.other->descriptor();
  const auto thief = make_handle<uv_async_t>("no thief", uv_async_init, loop, steal);
  thief->data = &descriptor;
  const Handle<void> reading = spawn(read_one(out, ends.other.get()));
  co_await suspend();
  uv_async_send(thief.get());  // libuv looks at it first
  co_await ends.one->write("x");
  co_await delay(1ms);
  out->push_back("later");
  co_await ends.one->write("y");
  co_await reading;
}

/// What comes while nobody waits is taken in once; the next bytes stay with the system.
Coroutine<> leave_with_the_system(int* left) {
  const Connection ends = co_await make_connection();
  const Handle<std::string> reading = spawn(ends.one->read());
  co_await suspend();
  for (const char* each : {"awaited", "taken in", "left"}) {
    co_await ends.other->write(each);
    UvReactor::current().tick(false);
    co_await reading;
  }
  ::ioctl(ends.one->descriptor(), FIONREAD, left);
}

/// Counts its turns until it is told to end.
Coroutine<> count_turns(const bool* is_done, int* turns) {
  for (; !*is_done; ++*turns) {
    co_await suspend();
  }
}

/// A peer that always has more does not keep another task waiting.
Coroutine<> read_flood(int* turns_of_other) {
  const Connection ends = co_await make_connection();
  const Handle<void> flood = spawn(send(ends.other.get(), bytes_from(1, 6400)));
  co_await flood;  // all of it is there
  bool done = false;
  const Handle<void> other = spawn(count_turns(&done, turns_of_other));
  for (int i = 0; i < 64; ++i) {
    co_await ends.one->read(100);
  }
  done = true;
  co_await other;
}

/// Nor does one that always has room.
Coroutine<> write_flood(int* turns_of_other) {
  const Connection ends = co_await make_connection();
  bool done = false;
  const Handle<void> other = spawn(count_turns(&done, turns_of_other));
  for (int i = 0; i < 64; ++i) {
    co_await ends.one->write("x");
  }
  done = true;
  co_await other;
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "what a stream is told comes out at the other end", "[step09]") {
  scheduler.run(talk(&log));
  REQUIRE(log == Log{"\"a\"", "\"bc\"", "\"def\""});
}

TEST_CASE_METHOD(UvWorld, "lines are told apart, however they come", "[step09]") {
  scheduler.run(read_lines(&log));
  REQUIRE(log == Log{"abc\n", "de\n", "\n", "f"});
}

TEST_CASE_METHOD(UvWorld, "8 MiB go both ways at once", "[step09]") {
  scheduler.run(send_both_ways(&log));
  REQUIRE(log == Log{"all", "all"});
}

TEST_CASE_METHOD(UvWorld, "the end of a stream is read as often as one likes", "[step09]") {
  scheduler.run(read_after_end(&log));
  REQUIRE(log == Log{"\"bye\"", "\"\"", "\"\"", "\"\""});
}

TEST_CASE_METHOD(UvWorld, "a read gives no more than it was asked for", "[step09]") {
  scheduler.run(read_small(&log));
  REQUIRE(log == Log{"a", "bcd", "e", ": done", "fg", "hij"});
}

TEST_CASE_METHOD(UvWorld, "a read of nothing takes nothing, and is no end", "[step09]") {
  scheduler.run(read_nothing(&log));
  REQUIRE(log == Log{"", "\"hello\"", "\"\""});
}

TEST_CASE_METHOD(UvWorld, "what several tasks write comes out in order", "[step09]") {
  scheduler.run(write_from_many(&log));
  REQUIRE(log.back() == "all");
  REQUIRE(log.size() == 13);
}

TEST_CASE_METHOD(UvWorld, "who has ended his side still reads", "[step09]") {
  scheduler.run(half_close(&log));
  REQUIRE(log == Log{"all", "write: EPIPE", "end: ENOTCONN", "all"});
}

TEST_CASE_METHOD(UvWorld, "what nobody reads is not taken in", "[step09]") {
  scheduler.run(write_to_idle(&log));
  REQUIRE(log == Log{"\"x\"", "more: The time is over"});
}

TEST_CASE_METHOD(UvWorld, "of what nobody reads all but the first bytes stay with the system",
                 "[step09]") {
  int left = 0;
  scheduler.run(leave_with_the_system(&left));
  REQUIRE(left == 4);
}

TEST_CASE_METHOD(UvWorld, "a byte that somebody else has taken is waited for on", "[step09]") {
  scheduler.run(be_robbed(&log, reactor.loop()));
  REQUIRE(log == Log{"later", "\"y\""});
}

TEST_CASE_METHOD(UvWorld, "each sixteenth read gives the others a turn", "[step09]") {
  int turns = 0;
  scheduler.run(read_flood(&turns));
  REQUIRE(turns == 4);
}

TEST_CASE_METHOD(UvWorld, "each sixteenth write gives the others a turn", "[step09]") {
  int turns = 0;
  scheduler.run(write_flood(&turns));
  REQUIRE(turns == 4);
}
