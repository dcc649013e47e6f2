#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "coop/uv/blocking.hpp"
#include "coop/uv/file.hpp"
#include "uv_files.hpp"
#include "uv_world.hpp"

using namespace coop;

namespace {

Coroutine<> read_once(File* file, Log* log) {
  const std::string bytes = co_await file->read(1);
  log->push_back(bytes);
}

Coroutine<> write_once(File* file, std::string text) {
  co_await file->write(std::move(text));
}

/// How many descriptors this program has to that file.
std::ptrdiff_t descriptors_of(const std::string& path) {
  std::ptrdiff_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;  // the folder's own
    if (std::filesystem::read_symlink(entry, gone) == path) ++count;
  }
  return count;
}

void nothing() {}

Coroutine<> until_there_are(std::ptrdiff_t count, std::string path) {
  while (descriptors_of(path) != count) {
    co_await run_in_thread(nothing);
  }
}

void take_all(const Fifo* fifo, std::size_t size) {
  while (size > 0) size -= fifo->take(size).size();
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "closing a file wakes those who read and write it", "[step09]") {
  const Fifo fifo;
  scheduler.run([](std::string path, Log* out) -> Coroutine<> {
    const std::unique_ptr<File> file = co_await open_file(path, O_RDWR);
    spawn(outcome(out, "read", read_once(file.get(), out)));
    co_await suspend();
    co_await report(out, "second", read_once(file.get(), out));
    file->close();
    file->close();
    co_await suspend();
    co_await outcome(out, "late read", read_once(file.get(), out));
    co_await outcome(out, "late write", write_once(file.get(), "x"));
  }(fifo.path(), &log));
  fifo.put("for the thread");
  REQUIRE(log == Log{"second: Somebody else is reading this file", "read: ECANCELED",
                     "late read: EBADF", "late write: EBADF"});
}

TEST_CASE_METHOD(UvWorld, "a descriptor is closed when no thread works with it any more",
                 "[step09]") {
  const Fifo fifo;
  scheduler.run([](const Fifo* pipe, Log* out) -> Coroutine<> {
    std::unique_ptr<File> file = co_await open_file(pipe->path(), O_RDWR);
    const Handle<void> task = spawn(outcome(out, "read", read_once(file.get(), out)));
    co_await suspend();
    task->cancel();
    co_await task;
    file.reset();
    out->push_back(std::to_string(descriptors_of(pipe->path())));
    pipe->put("x");
    co_await until_there_are(1, pipe->path());
  }(&fifo, &log));
  REQUIRE(log == Log{"read: cancelled: cancelled", "2"});
}

TEST_CASE_METHOD(UvWorld, "a file is read on after a read was cancelled", "[step09]") {
  const Fifo fifo;
  scheduler.run([](const Fifo* pipe, Log* out) -> Coroutine<> {
    const std::unique_ptr<File> file = co_await open_file(pipe->path(), O_RDWR);
    const Handle<void> task = spawn(outcome(out, "read", read_once(file.get(), out)));
    co_await suspend();
    task->cancel();
    co_await task;
    pipe->put("xx");  // one may be lost to the thread that reads for nobody
    co_await read_once(file.get(), out);
  }(&fifo, &log));
  fifo.put("x");
  REQUIRE(log == Log{"read: cancelled: cancelled", "x"});
}

TEST_CASE_METHOD(UvWorld, "closing a file drops the writes that have not been begun", "[step09]") {
  const Fifo fifo;
  scheduler.run([](const Fifo* pipe, Log* out) -> Coroutine<> {
    const std::unique_ptr<File> file = co_await open_file(pipe->path(), O_RDWR);
    spawn(outcome(out, "begun", write_once(file.get(), std::string(1 << 20, 'a'))));
    spawn(outcome(out, "queued", write_once(file.get(), "b")));
    co_await suspend();
    const auto some = [pipe] { take_all(pipe, 1); };
    co_await blocking(some);  // a thread is writing
    file->close();
    const auto rest = [pipe] { take_all(pipe, (1 << 20) - 1); };
    co_await blocking(rest);
    co_await until_there_are(1, pipe->path());
  }(&fifo, &log));
  REQUIRE(log == Log{"begun: ECANCELED", "queued: ECANCELED"});
  REQUIRE(fifo.size() == 0);
}

TEST_CASE_METHOD(UvWorld, "a file that goes drops the writes that have not been begun",
                 "[step09]") {
  const Fifo fifo;
  scheduler.run([](const Fifo* pipe, Log* out) -> Coroutine<> {
    std::unique_ptr<File> file = co_await open_file(pipe->path(), O_RDWR);
    std::vector<Handle<void>> tasks;
    for (const std::size_t size : {std::size_t{1} << 20, std::size_t{1}}) {
      tasks.push_back(spawn(outcome(out, "write", write_once(file.get(), std::string(size, 'a')))));
    }
    co_await suspend();
    for (const Handle<void>& task : tasks) {
      task->cancel();
      co_await task;
    }
    file.reset();
    const auto all = [pipe] { take_all(pipe, 1 << 20); };
    co_await blocking(all);
    co_await until_there_are(1, pipe->path());
  }(&fifo, &log));
  REQUIRE(log == Log(2, "write: cancelled: cancelled"));
  REQUIRE(fifo.size() == 0);
}

TEST_CASE_METHOD(UvWorld, "a file whose opening was cancelled is closed when it is open",
                 "[step09]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "a").close();
  scheduler.run([](std::string path) -> Coroutine<> {
    for (int i = 0; i < 50; ++i) {
      const Handle<std::unique_ptr<File>> task = spawn(open_file(path));
      co_await suspend();
      task->cancel();
      co_await until(&*task);
    }
    co_await until_there_are(0, path);
  }(folder / "a"));
}
