#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <future>
#include <thread>
#include <vector>

#include "coop/uv/file.hpp"
#include "coop/uv/thread.hpp"
#include "uv_files.hpp"
#include "uv_tcp.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

constexpr int create = O_RDWR | O_CREAT | O_TRUNC;

Coroutine<> write_to(std::string path, std::string text) {
  File file = co_await open_file(path, O_WRONLY);
  co_await file.write(std::move(text));
}

Coroutine<> read_from(std::string path, std::string* out) {
  File file = co_await open_file(path);
  *out = co_await read_all(&file);
}

/// Fails to read so many bytes, then reads 2000 lines, and returns how much CPU time these took.
Coroutine<std::clock_t> read_lines(std::string path, std::size_t too_many) {
  File file = co_await open_file(path);
  BufferedReader reader(file);
  try {
    co_await reader.read_exactly(too_many);
  } catch (const UvError&) {
  }
  const std::clock_t begin = std::clock();
  for (int i = 0; i < 2000; ++i) {
    co_await reader.read_line();
  }
  co_return std::clock() - begin;
}

/// How many descriptors this process has for that file.
std::ptrdiff_t descriptors_of(const std::string& path) {
  std::ptrdiff_t count = 0;
  struct stat file{}, open{};
  REQUIRE(::stat(path.c_str(), &file) == 0);
  for (int i = 0; i < 1024; ++i) {
    if (::fstat(i, &open) == 0 && open.st_dev == file.st_dev && open.st_ino == file.st_ino) ++count;
  }
  return count;
}

Coroutine<> until_there_are(std::ptrdiff_t count, std::string path) {
  while (descriptors_of(path) != count) {
    co_await blocking(nothing);
  }
}

void take_all(const Fifo* fifo, std::size_t size) {
  while (size > 0) size -= fifo->take(size).size();
}

int sockets(int* both) {
  return ::socketpair(AF_UNIX, SOCK_STREAM, 0, both);
}

int pipes(int* both) {
  return uv_pipe(both, 0, 0);
}

/// A file that is open to read, not at its beginning, and to write.
int file_twice(int* both) {
  std::string path = std::filesystem::temp_directory_path() / "coop-XXXXXX";
  both[1] = ::mkstemp(path.data());
  both[0] = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ::unlink(path.c_str());
  const bool skips = ::write(both[1], "skipped", 7) == 7 && ::lseek(both[0], 7, SEEK_SET) == 7;
  return skips ? 0 : -1;
}

/// A terminal: the side of the program and the side of the window.
int terminal(int* both) {
  both[1] = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (both[1] < 0 || ::grantpt(both[1]) != 0 || ::unlockpt(both[1]) != 0) return -1;
  std::array<char, 64> name{};
  ::ptsname_r(both[1], name.data(), name.size());
  both[0] = ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios raw{};
  ::tcgetattr(both[0], &raw);
  ::cfmakeraw(&raw);
  return ::tcsetattr(both[0], TCSANOW, &raw);
}

Coroutine<> open_once(int descriptor) {
  open_descriptor(descriptor);
  co_return;
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a file returns what was written and continues when it has grown",
                 "[step09]") {
  const TemporaryFolder folder;
  scheduler.run([](std::string path, Log* out) -> Coroutine<> {
    File writer = co_await open_file(path, create);
    File reader = co_await open_file(path);
    for (std::string text : {"one", "two"}) {
      co_await writer.write(text);
      co_await writer.write("");
      co_await read_one(out, &reader);
      co_await read_one(out, &reader);
    }
  }(folder / "a", &log));
  REQUIRE(log == Log{"\"one\"", "\"\"", "\"two\"", "\"\""});
}

TEST_CASE_METHOD(UvWorld, "an error of a file names the file", "[step09]") {
  const TemporaryFolder folder;
  const std::string missing = folder / "missing", here = folder.path();
  std::string bytes;
  const std::string zero("/dev/null\0x", 11);
  scheduler.run(report(&log, "missing", read_from(missing, &bytes)));
  scheduler.run(report(&log, "folder to write", write_to(here, "x")));
  scheduler.run(report(&log, "folder to read", read_from(here, &bytes)));
  scheduler.run(report(&log, "full", write_to("/dev/full", "x")));
  scheduler.run(report(&log, "zero byte", read_from(zero, &bytes)));
  const std::string folder_error = ": illegal operation on a directory (EISDIR)";
  REQUIRE(log == Log{"missing: cannot open " + missing + ": no such file or directory (ENOENT)",
                     "folder to write: cannot open " + here + folder_error,
                     "folder to read: cannot read " + here + folder_error,
                     "full: cannot write /dev/full: no space left on device (ENOSPC)",
                     "zero byte: cannot open /dev/null (cut at a zero byte): invalid argument " +
                         std::string("(EINVAL)")});
  const NoMoreDescriptors none;
  scheduler.run(outcome(&log, "open", read_from("/dev/null", &bytes)));
  REQUIRE(log.back() == "open: EMFILE");
}

TEST_CASE_METHOD(UvWorld, "writes of several tasks reach a file one after the other", "[step09]") {
  const TemporaryFolder folder;
  const std::string text = long_text(8 << 20);
  scheduler.run([](std::string path, std::string all, Log* out) -> Coroutine<> {
    File file = co_await open_file(path, create);
    std::vector<Handle<void>> tasks;
    for (std::size_t from = 0; from < all.size(); from += 100000) {
      const std::string part = all.substr(from, 100000);
      tasks.push_back(spawn(outcome(out, "write", write_one(&file, part))));
    }
    co_await yield();
    for (std::size_t i = 1; i < tasks.size(); i += 2) tasks[i]->cancel();  // they are still written
    for (const Handle<void>& task : tasks) {
      co_await task;
    }
    co_await file.write("the end");
  }(folder / "a", text, &log));
  REQUIRE(text_in(folder / "a") == text + "the end");
}

TEST_CASE_METHOD(UvWorld, "a write that is cut short throws the error of the rest", "[step09]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "a").close();
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{100, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  scheduler.run(outcome(&log, "write", write_to(folder / "a", long_text(150))));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, SIG_DFL);
  REQUIRE(log == Log{"write: EFBIG"});
  REQUIRE(text_in(folder / "a") == long_text(150).substr(0, 100));
}

TEST_CASE_METHOD(UvWorld, "a write that is accepted in part continues with the rest", "[step09]") {
  const Fifo fifo;
  std::string taken;
  scheduler.run([](const Fifo* pipe, std::string* out, Log* outcomes) -> Coroutine<> {
    File file = co_await open_file(pipe->path(), O_RDWR | O_NONBLOCK);
    const Handle<void> task = spawn(outcome(outcomes, "write", write_one(&file, long_text(90000))));
    co_await yield();  // a thread of libuv begins to write
    while (pipe->size() < 65536) std::this_thread::yield();
    *out = pipe->take(65536);
    co_await task;
    *out += pipe->take(90000 - 65536);
  }(&fifo, &taken, &log));
  REQUIRE(log == Log{"write: done"});
  const bool is_all = taken == long_text(90000);
  REQUIRE(is_all);
}

TEST_CASE_METHOD(UvWorld, "all tasks that wait for a file are woken when it is closed",
                 "[step09]") {
  const Fifo fifo;
  scheduler.run([](std::string path, Log* out) -> Coroutine<> {
    File file = co_await open_file(path, O_RDWR);
    spawn(outcome(out, "read", read_one(out, &file)));
    co_await yield();
    co_await outcome(out, "second", read_one(out, &file));
    file.close();
    file.close();
    co_await yield();
    co_await outcome(out, "late read", read_one(out, &file));
    co_await outcome(out, "late write", write_one(&file, "x"));
  }(fifo.path(), &log));
  fifo.put("for the thread");
  REQUIRE(log == Log{"second: Another task is reading here already", "read: ECANCELED",
                     "late read: EBADF", "late write: EBADF"});
}

TEST_CASE_METHOD(UvWorld, "a descriptor is closed after the read of a thread has ended",
                 "[step09]") {
  const Fifo fifo;
  scheduler.run([](const Fifo* pipe, Log* out) -> Coroutine<> {
    File file = co_await open_file(pipe->path(), O_RDWR);
    const Handle<void> task = spawn(outcome(out, "read", read_one(out, &file, 1)));
    co_await yield();
    task->cancel();
    co_await task;
    pipe->put("xx");  // the thread may take one
    co_await read_one(out, &file, 1);
    const Handle<void> last = spawn(outcome(out, "last", read_one(out, &file, 2)));
    co_await yield();
    file = File();
    co_await last;
    pipe->put("xx");
    co_await until_there_are(1, pipe->path());
  }(&fifo, &log));
  REQUIRE(log == Log{"read: cancelled: cancelled", "\"x\"", "last: ECANCELED"});
}

TEST_CASE_METHOD(UvWorld, "writes that have not begun are dropped when a file is closed",
                 "[step09]") {
  const Fifo fifo;
  scheduler.run([](const Fifo* pipe, Log* out) -> Coroutine<> {
    File file = co_await open_file(pipe->path(), O_RDWR);
    spawn(outcome(out, "begun", write_one(&file, std::string(1 << 20, 'a'))));
    spawn(outcome(out, "queued", write_one(&file, "b")));
    co_await yield();
    const auto some = [pipe] { take_all(pipe, 1); };
    co_await blocking(some);  // a thread is writing
    file.close();
    const auto rest = [pipe] { take_all(pipe, (1 << 20) - 1); };
    co_await blocking(rest);
    co_await until_there_are(1, pipe->path());
  }(&fifo, &log));
  REQUIRE(log == Log{"begun: ECANCELED", "queued: ECANCELED"});
  REQUIRE(fifo.size() == 0);
}

TEST_CASE_METHOD(UvWorld, "a file whose opening was cancelled is closed when it is open",
                 "[step09]") {
  const TemporaryFolder folder;
  const std::string path = folder / "fifo";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  std::string bytes;
  scheduler.run(outcome(&log, "open", with_timeout(50ms, read_from(path, &bytes))));
  REQUIRE(log == Log{"open: The time is over"});
  const Descriptor writer(::open(path.c_str(), O_RDWR | O_CLOEXEC));  // the thread waits for it
}

TEST_CASE_METHOD(UvWorld, "lines that a failed read_exactly has left take no longer than others",
                 "[step09]") {
  const TemporaryFolder folder;
  const std::string path = folder / "lines";
  std::ofstream(path) << long_text(very_much);
  const std::clock_t others = scheduler.run(read_lines(path, 0));
  CHECK(scheduler.run(read_lines(path, 2 * very_much)) < 5 * others + CLOCKS_PER_SEC / 20);
}

TEST_CASE("a program reads a pipe and a file and a socket and a terminal by the same interface",
          "[step09]") {
  UvWorld world;
  Ends ends(GENERATE(pipes, file_twice, sockets, terminal));
  world.scheduler.run([](Ends* both, Log* out) -> Coroutine<> {
    Io from = open_descriptor(both->both[0]), to = open_descriptor(both->both[1]);
    both->close(0);  // the Io has a copy
    co_await to.write("hello");
    co_await read_one(out, &from, 2);
    co_await read_one(out, &from, 9);
    from.close();
    co_await outcome(out, "closed", read_one(out, &from));
  }(&ends, &world.log));
  REQUIRE(world.log == Log{"\"he\"", "\"llo\"", "closed: EBADF"});
}

TEST_CASE_METHOD(UvWorld, "a terminal stays blocking for other programs", "[step09]") {
  Ends ends(terminal);
  scheduler.run(open_once(ends.both[0]));
  REQUIRE((::fcntl(ends.both[0], F_GETFL) & O_NONBLOCK) == 0);
}

TEST_CASE_METHOD(UvWorld, "a descriptor that is no Io is an error", "[step09]") {
  const TemporaryFolder folder;
  const int directory = ::open(folder.path().c_str(), O_RDONLY | O_CLOEXEC);
  const int udp = ::socket(AF_INET, SOCK_DGRAM, 0);
  scheduler.run(outcome(&log, "directory", open_once(directory)));
  scheduler.run(outcome(&log, "UDP", open_once(udp)));
  ::close(directory);
  ::close(udp);
  scheduler.run(report(&log, "closed", open_once(udp)));
  REQUIRE(log == Log{"directory: EINVAL", "UDP: EINVAL",
                     "closed: cannot use descriptor " + std::to_string(udp) +
                         ": bad file descriptor (EBADF)"});
}
