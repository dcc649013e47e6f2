#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>

#include <stdexcept>
#include <vector>

#include "coop/any_of.hpp"
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

Coroutine<> end(Stream* stream) {
  co_await stream->end_writing();
}

Coroutine<> expect(Log* out, Io* io, std::string expected) {
  const std::string got = co_await read_all(io);
  out->push_back(got == expected ? "all" : std::to_string(got.size()) + " bytes, or others");
}

/// Logs a piece that a BufferedReader returns.
Coroutine<> log_piece(Log* out, Coroutine<std::string> piece) {
  const std::string text = co_await std::move(piece);
  out->push_back(text);
}

UvHandle<detail::UvStream> make_connected_pipe() {
  int both[2];
  REQUIRE(uv_pipe(both, 0, 0) == 0);
  ::close(both[1]);
  UvHandle<detail::UvStream> pipe = detail::make_pipe();
  REQUIRE(uv_pipe_open(&pipe->pipe, both[0]) == 0);
  return pipe;
}

Coroutine<> read_once(Log* out, Io io) {
  co_await read_one(out, &io);
}

Coroutine<> await_all(std::vector<Handle<void>> tasks) {
  for (const Handle<void>& task : tasks) {
    co_await task;
  }
}

/// Counts its turns until it is told to end.
Coroutine<> count_turns(const bool* is_done, int* turns) {
  for (; !*is_done; ++*turns) {
    co_await yield();
  }
}

/// Writes until an error says that the peer is no longer there.
Coroutine<> write_on(Stream* stream) {
  for (;;) {
    co_await stream->write(std::string(1000, 'x'));
    co_await yield();
  }
}

/// The peer leaves while this one waits, or before.
Coroutine<> read_after(Log* out, void (*leave)(Stream*), bool waits) {
  Connection ends = co_await make_connection();
  if (!waits) leave(&ends.other);
  const Handle<void> reading = spawn(outcome(out, "read", read_one(out, &ends.one)));
  co_await yield();
  if (waits) leave(&ends.other);
  co_await reading;
  co_await outcome(out, "again", read_one(out, &ends.one));
}

void close(Stream* stream) {
  stream->close();
}

Coroutine<> read_and_cancel(Log* out, Io* io, std::vector<Handle<void>>* all, std::size_t other) {
  co_await read_one(out, io);
  (*all)[other]->cancel();
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "written bytes arrive at the other end of a stream", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Connection ends = co_await make_connection();
    const Handle<void> echoing = spawn(echo(&ends.other));
    for (const char* each : {"a", "bc", "def"}) {
      co_await ends.one.write(each);
      co_await read_one(out, &ends.one);
    }
    ends.one.close();
    co_await echoing;
  }(&log));
  REQUIRE(log == Log{"\"a\"", "\"bc\"", "\"def\""});
}

TEST_CASE_METHOD(UvWorld, "a stream moves while tasks read and write it", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Connection ends = co_await make_connection();
    const Handle<void> reading = spawn(read_one(out, &ends.one));
    const Handle<void> writing = spawn(write_one(&ends.one, bytes_from(1)));
    co_await yield();
    Stream moved = std::move(ends.one);
    co_await outcome(out, "the old one", read_one(out, &ends.one));
    co_await ends.other.write("x");
    co_await reading;
    const Handle<void> all = spawn(expect(out, &ends.other, bytes_from(1)));
    co_await writing;
    moved = Stream();  // closes it
    co_await all;
  }(&log));
  REQUIRE(log == Log{"the old one: EBADF", "\"x\"", "all"});
}

TEST_CASE_METHOD(UvWorld, "a BufferedReader finds the lines in whatever pieces they arrive",
                 "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Connection ends = co_await make_connection();
    BufferedReader reader(ends.one);
    const Handle<std::string> reading = spawn(reader.read_line());
    for (const char* each : {"ab", "c\nde\n\nf"}) {
      co_await ends.other.write(each);
      co_await sleep(1ms);
    }
    ends.other.close();
    std::string line = co_await reading;
    CHECK_FALSE(reader.is_empty());
    while (!line.empty()) {
      out->push_back(line);
      line = co_await reader.read_line();
    }
  }(&log));
  REQUIRE(log == Log{"abc\n", "de\n", "\n", "f"});
}

TEST_CASE_METHOD(UvWorld, "a BufferedReader finds a newline that is the first byte of a piece",
                 "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Connection ends = co_await make_connection();
    BufferedReader reader(ends.one);
    const Handle<void> reading = spawn(log_piece(out, reader.read_line()));
    co_await ends.other.write("abc");
    while (reader.is_empty()) {
      co_await yield();
    }
    co_await ends.other.write("\nnext\n");
    ends.other.close();
    co_await reading;
    co_await log_piece(out, reader.read_line());
  }(&log));
  REQUIRE(log == Log{"abc\n", "next\n"});
}

TEST_CASE_METHOD(UvWorld, "a BufferedReader reads up to a text and exactly so many bytes",
                 "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Connection ends = co_await make_connection();
    BufferedReader reader(ends.one);
    const Handle<void> head = spawn(log_piece(out, reader.read_until("\r\n\r\n")));
    for (const char* each : {"GET /\r\n\r", "\nte", "xt|and more"}) {
      co_await ends.other.write(each);
      co_await sleep(1ms);
    }
    ends.other.close();
    co_await head;
    co_await log_piece(out, reader.read(1));
    co_await log_piece(out, reader.read_exactly(3));
    co_await log_piece(out, reader.read_exactly(0));
    co_await log_piece(out, reader.read_until("|"));
    co_await outcome(out, "nine bytes", log_piece(out, reader.read_exactly(9)));
    co_await log_piece(out, reader.read(2));
    co_await log_piece(out, reader.read_until("|"));
    co_await log_piece(out, reader.read());
  }(&log));
  REQUIRE(log == Log{"GET /\r\n\r\n", "t", "ext", "", "|", "nine bytes: EOF", "an", "d more", ""});
}

TEST_CASE_METHOD(UvWorld, "a BufferedReader returns what it has read ahead without waiting",
                 "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Connection ends = co_await make_connection();
    BufferedReader reader(ends.one);
    co_await ends.other.write("ab");
    co_await log_piece(out, reader.read(1));
    co_await log_piece(out, with_timeout(10s, reader.read()));  // the peer sends nothing more
  }(&log));
  REQUIRE(log == Log{"a", "b"});
}

TEST_CASE_METHOD(UvWorld, "a BufferedReader refuses a piece that is too long", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Connection ends = co_await make_connection();
    BufferedReader reader(ends.one, 5);
    co_await ends.other.write("four\nfive5\n");
    co_await log_piece(out, reader.read_line());
    co_await outcome(out, "with its newline", log_piece(out, reader.read_line()));
    co_await log_piece(out, reader.read_exactly(6));
    co_await ends.other.write("endless");
    co_await outcome(out, "without one", log_piece(out, reader.read_until("|")));
  }(&log));
  REQUIRE(log == Log{"four\n", "with its newline: EMSGSIZE", "five5\n", "without one: EMSGSIZE"});
}

TEST_CASE_METHOD(UvWorld, "no_delay sends small writes at once", "[step09]") {
  scheduler.run([]() -> Coroutine<> {
    Connection ends = co_await make_connection();
    const auto is_set = [](const Stream& stream) {
      int set = 0;
      socklen_t size = sizeof set;
      REQUIRE(::getsockopt(stream.descriptor(), IPPROTO_TCP, TCP_NODELAY, &set, &size) == 0);
      return set != 0;
    };
    CHECK_FALSE(is_set(ends.one));
    ends.one.no_delay();
    CHECK(is_set(ends.one));
    ends.one.close();
    CHECK_THROWS_AS(ends.one.no_delay(), UvError);
    Stream pipe(make_connected_pipe());
    CHECK_THROWS_AS(pipe.no_delay(), UvError);
  }());
}

TEST_CASE_METHOD(UvWorld, "a read returns no more than it was asked for", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Connection ends = co_await make_connection();
    co_await ends.other.write("abcde");
    for (const std::size_t most : {0u, 1u, 3u, 2u}) {
      co_await read_one(out, &ends.one, most);
    }
    spawn(write_one(&ends.other, "fghij"));
    co_await read_one(out, &ends.one, 2);  // has to wait
    co_await read_one(out, &ends.one, 9);
  }(&log));
  REQUIRE(log == Log{"\"\"", "\"a\"", "\"bcd\"", "\"e\"", "\"fg\"", "\"hij\""});
}

TEST_CASE_METHOD(UvWorld, "data of several tasks is written in the order of the calls",
                 "[step09]") {
  scheduler.run([](Log* out, bool accepted) -> Coroutine<> {
    Connection ends = co_await make_connection(accepted);
    std::string expected;
    std::vector<Handle<void>> tasks;
    for (unsigned i = 0; i < 12; ++i) {
      const std::string bytes = bytes_from(i, i % 3 == 0 ? very_much / 8 : 5);
      expected += bytes;
      tasks.push_back(spawn(write_one(&ends.one, bytes)));
    }
    const Handle<void> reading = spawn(expect(out, &ends.other, expected));
    co_await await_all(std::move(tasks));
    co_await ends.one.end_writing();
    co_await reading;
  }(&log, GENERATE(false, true)));
  REQUIRE(log == Log{"all"});
}

TEST_CASE_METHOD(UvWorld, "a stream still reads after it has ended writing", "[step09]") {
  scheduler.run([](Log* out, bool accepted) -> Coroutine<> {
    Connection ends = co_await make_connection(accepted);
    co_await send(&ends.one, "question");
    co_await expect(out, &ends.other, "question");
    co_await outcome(out, "write", ends.one.write("more"));
    co_await outcome(out, "end", ends.one.end_writing());
    co_await send(&ends.other, "answer");
    co_await expect(out, &ends.one, "answer");
  }(&log, GENERATE(false, true)));
  REQUIRE(log == Log{"all", "write: EPIPE", "end: ENOTCONN", "all"});
}

TEST_CASE_METHOD(UvWorld, "a peer has to wait when no task reads", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Connection ends = co_await make_connection();
    const Handle<void> reading = spawn(read_one(out, &ends.one));
    co_await yield();
    for (const char* each : {"awaited", "taken", "left"}) {
      co_await ends.other.write(each);
      co_await sleep(1ms);
      co_await reading;
    }
    int left = 0;
    ::ioctl(ends.one.descriptor(), FIONREAD, &left);
    CHECK(left == 4);
    const std::string more(very_much, 'x');
    co_await outcome(out, "more", with_timeout(50ms, ends.other.write(more)));
  }(&log));
  REQUIRE(log == Log{"\"awaited\"", "more: The time is over"});
}

TEST_CASE_METHOD(UvWorld, "a read waits on when another stream has taken the bytes", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Connection ends = co_await make_connection();
    const Handle<void> first = spawn(read_once(out, open_descriptor(ends.one.descriptor())));
    const Handle<void> second = spawn(read_once(out, std::move(ends.one)));
    for (const char* each : {"x", "y"}) {
      co_await sleep(1ms);
      co_await ends.other.write(each);
    }
    co_await first;
    co_await second;
  }(&log));
  REQUIRE(log == Log{"\"x\"", "\"y\""});
}

TEST_CASE_METHOD(UvWorld, "each sixteenth read and each sixteenth write ends the turn",
                 "[step09]") {
  int turns = 0;
  scheduler.run([](int* turns_of_other) -> Coroutine<> {
    Connection ends = co_await make_connection();
    bool done = false;
    const Handle<void> other = spawn(count_turns(&done, turns_of_other));
    for (int i = 0; i < 64; ++i) {
      co_await ends.one.write("x");
    }
    for (int i = 0; i < 64; ++i) {
      co_await ends.other.read(1);
    }
    done = true;
    co_await other;
  }(&turns));
  REQUIRE(turns == 8);
}

TEST_CASE_METHOD(UvWorld, "a stream is readable when a read returns at once", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Connection ends = co_await make_connection();
    Timer soon(1ms), never(1h);
    const std::size_t timer = co_await any_of(ends.one.readable(), soon);
    CHECK(timer == 1);
    co_await ends.other.write("x");
    const std::size_t bytes = co_await any_of(ends.one.readable(), never);
    CHECK(bytes == 0);
    co_await read_one(out, &ends.one);
    ends.other.close();
    co_await ends.one.readable();
    co_await read_one(out, &ends.one);
  }(&log));
  REQUIRE(log == Log{"\"x\"", "\"\""});
}

TEST_CASE_METHOD(UvWorld, "each read returns an empty string after an end and throws after a reset",
                 "[step09]") {
  const bool waits = GENERATE(true, false);
  scheduler.run(read_after(&log, close, waits));
  scheduler.run(read_after(&log, reset, waits));
  REQUIRE(log == Log{"\"\"", "read: done", "\"\"", "again: done", "read: ECONNRESET",
                     "again: ECONNRESET"});
}

TEST_CASE_METHOD(UvWorld, "bytes and the end that are there already cost no turn", "[step09]") {
  std::uint64_t turns = 1000;
  scheduler.run([](std::uint64_t* count) -> Coroutine<> {
    Connection ends = co_await make_connection();
    co_await ends.other.write("bytes");
    ends.other.close();
    const std::uint64_t before = Scheduler::current().turns();
    co_await ends.one.read();
    co_await ends.one.read();
    *count = Scheduler::current().turns() - before;
  }(&turns));
  REQUIRE(turns == 0);
}

TEST_CASE_METHOD(UvWorld, "a write throws when the peer is no longer there", "[step09]") {
  scheduler.run([](Log* out, void (*leave)(Stream*), bool accepted) -> Coroutine<> {
    Connection ends = co_await make_connection(accepted);
    leave(&ends.other);
    co_await outcome(out, "write", write_on(&ends.one));
  }(&log, GENERATE(close, reset), GENERATE(false, true)));
  REQUIRE(log.size() == 1);
  REQUIRE((log[0] == "write: EPIPE" || log[0] == "write: ECONNRESET"));
}

TEST_CASE_METHOD(UvWorld, "closing a stream wakes all tasks that wait for it", "[step09]") {
  scheduler.run([](Log* out, bool accepted) -> Coroutine<> {
    Connection ends = co_await make_connection(accepted);
    std::vector<Handle<void>> tasks;
    tasks.push_back(spawn(outcome(out, "read", read_one(out, &ends.one))));
    tasks.push_back(spawn(outcome(out, "write", write_one(&ends.one, bytes_from(1)))));
    tasks.push_back(spawn(outcome(out, "write", write_one(&ends.one, "more"))));
    tasks.push_back(spawn(outcome(out, "end", end(&ends.one))));
    co_await yield();
    ends.one.close();
    ends.one.close();
    co_await await_all(std::move(tasks));
    co_await outcome(out, "late read", read_one(out, &ends.one));
    co_await outcome(out, "late write", write_one(&ends.one, "x"));
    co_await outcome(out, "late end", end(&ends.one));
  }(&log, GENERATE(false, true)));
  std::sort(log.begin(), log.end());
  REQUIRE(log == Log{"end: ECANCELED", "late end: EBADF", "late read: EBADF", "late write: EBADF",
                     "read: ECANCELED", "write: ECANCELED", "write: ECANCELED"});
}

TEST_CASE_METHOD(UvWorld, "a second reader of a stream is refused", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Connection ends = co_await make_connection();
    const Handle<void> first = spawn(outcome(out, "first", read_one(out, &ends.one)));
    co_await yield();
    co_await outcome(out, "second", read_one(out, &ends.one));
    co_await ends.other.write("x");
    co_await first;
    co_await ends.other.write("y");
    co_await outcome(out, "third", read_one(out, &ends.one));
  }(&log));
  REQUIRE(log == Log{"second: Another task is reading here already", "\"x\"", "first: done",
                     "\"y\"", "third: done"});
}

TEST_CASE_METHOD(UvWorld, "all data is written when the task that writes is cancelled",
                 "[step09]") {
  scheduler.run([](Log* out, bool accepted) -> Coroutine<> {
    Connection ends = co_await make_connection(accepted);
    const Handle<void> writing = spawn(outcome(out, "write", write_one(&ends.one, bytes_from(3))));
    co_await yield();
    writing->cancel();
    co_await writing;
    const Handle<void> ending = spawn(end(&ends.one));
    co_await expect(out, &ends.other, bytes_from(3));
    co_await ending;
  }(&log, GENERATE(false, true)));
  REQUIRE(log == Log{"write: cancelled: cancelled", "all"});
}

TEST_CASE_METHOD(UvWorld, "the next read gets the bytes of a read that was cancelled", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Connection first = co_await make_connection();
    Connection second = co_await make_connection();
    std::vector<Handle<void>> tasks;
    tasks.push_back(spawn(outcome(out, "read", read_and_cancel(out, &first.one, &tasks, 1))));
    tasks.push_back(spawn(outcome(out, "read", read_and_cancel(out, &second.one, &tasks, 0))));
    co_await yield();
    for (Connection* const each : {&first, &second}) {
      co_await each->other.write("bytes");
      each->other.close();
    }
    co_await await_all(tasks);
    for (Connection* const each : {&first, &second}) {
      co_await read_one(out, &each->one);
    }
  }(&log));
  std::sort(log.begin(), log.end());
  REQUIRE(log == Log{"\"\"", "\"bytes\"", "\"bytes\"", "read: cancelled: cancelled", "read: done"});
}
