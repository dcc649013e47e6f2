#include <sys/resource.h>

#include <csignal>
#include <functional>
#include <latch>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coop/uv/blocking.hpp"
#include "coop/uv/file.hpp"
#include "uv_files.hpp"
#include "uv_world.hpp"

using namespace coop;

namespace {

constexpr int create = O_RDWR | O_CREAT | O_TRUNC;

Coroutine<> read_once(File* file, std::string* out, std::size_t at_most = 65536) {
  *out = co_await file->read(at_most);
}

Coroutine<> write_once(File* file, std::string text) {
  co_await file->write(std::move(text));
}

Coroutine<> write_to(std::string path, std::string text) {
  const std::unique_ptr<File> file = co_await open_file(path, O_WRONLY);
  co_await file->write(std::move(text));
}

Coroutine<> read_from(std::string path, std::string* out) {
  const std::unique_ptr<File> file = co_await open_file(path);
  std::string part;
  do {
    part = co_await file->read();
    *out += part;
  } while (!part.empty());
}

Coroutine<> reading_contract(std::string path, Log* log) {
  const std::unique_ptr<File> file = co_await open_file(path, O_RDWR);
  std::string bytes;
  std::function<Coroutine<>()> waits = [&] { return read_once(file.get(), &bytes, 1); };
  co_await keep_contract(log, waits);
}

/// All threads of libuv's pool are busy.
Coroutine<> opening_contract(std::shared_ptr<std::latch> go, Log* log) {
  const std::function<void()> wait_for_go = [go] { go->wait(); };
  for (int i = 0; i < 4; ++i) spawn(run_in_thread(wait_for_go));
  co_await suspend();
  std::string bytes;
  std::function<Coroutine<>()> waits = [&] { return read_from("/dev/null", &bytes); };
  co_await keep_contract(log, waits);
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a file gives what was written and more when it has grown", "[step09]") {
  const TemporaryFolder folder;
  scheduler.run([](std::string path, Log* out) -> Coroutine<> {
    const std::unique_ptr<File> writer = co_await open_file(path, create);
    const std::unique_ptr<File> reader = co_await open_file(path);
    for (std::string text : {"one", "two"}) {
      co_await writer->write(text);
      co_await writer->write("");
      std::string read = co_await reader->read();
      const std::string end = co_await reader->read();
      out->push_back(read + end);
    }
  }(folder / "a", &log));
  REQUIRE(log == Log{"one", "two"});
}

TEST_CASE_METHOD(UvWorld, "8 MiB through a file", "[step09]") {
  const TemporaryFolder folder;
  const std::string text = long_text(8 << 20);
  std::ofstream(folder / "a").close();
  std::string out;
  scheduler.run(write_to(folder / "a", text));
  scheduler.run(read_from(folder / "a", &out));
  REQUIRE(text_in(folder / "a") == text);
  REQUIRE(out == text);
}

TEST_CASE_METHOD(UvWorld, "reading a file keeps the contract of what can be waited for",
                 "[step09]") {
  const Fifo fifo;
  check_contract(this, reading_contract(fifo.path(), &log));
  fifo.put("abc");  // for the threads that read until then, which are not to be stopped
}

TEST_CASE_METHOD(UvWorld, "opening a file keeps the contract of what can be waited for",
                 "[step09]") {
  const auto go = std::make_shared<std::latch>(1);
  check_contract(this, opening_contract(go, &log));
  go->count_down();
}

TEST_CASE_METHOD(UvWorld, "what is wrong with a file is an error with its name", "[step09]") {
  const TemporaryFolder folder;
  std::string bytes;
  const std::string missing = folder / "missing", here = folder.path();
  scheduler.run([](Log* out, std::string none, std::string place, std::string* in) -> Coroutine<> {
    co_await report(out, "missing", read_from(none, in));
    co_await report(out, "folder, to write", write_to(place, "x"));
    co_await report(out, "folder, to read", read_from(place, in));
    co_await report(out, "full", write_to("/dev/full", "x"));
    co_await report(out, "full, a lot", write_to("/dev/full", long_text(1 << 20)));
  }(&log, missing, here, &bytes));
  const std::string folder_error = ": illegal operation on a directory (EISDIR)";
  const std::string full_error = ": cannot write /dev/full: no space left on device (ENOSPC)";
  REQUIRE(log == Log{"missing: cannot open " + missing + ": no such file or directory (ENOENT)",
                     "folder, to write: cannot open " + here + folder_error,
                     "folder, to read: cannot read " + here + folder_error, "full" + full_error,
                     "full, a lot" + full_error});
}

TEST_CASE_METHOD(UvWorld, "no descriptor is free for a file", "[step09]") {
  std::string bytes;
  const NoMoreDescriptors none;
  scheduler.run(outcome(&log, "open", read_from("/dev/null", &bytes)));
  REQUIRE(log == Log{"open: EMFILE"});
}

TEST_CASE_METHOD(UvWorld, "writes of several tasks reach the file one after the other",
                 "[step09]") {
  const TemporaryFolder folder;
  const std::string text = long_text(8 << 20);
  scheduler.run([](std::string path, std::string all) -> Coroutine<> {
    const std::unique_ptr<File> file = co_await open_file(path, create);
    std::vector<Handle<void>> tasks;
    for (std::size_t from = 0; from < all.size(); from += 100000) {
      tasks.push_back(spawn(write_once(file.get(), all.substr(from, 100000))));
    }
    for (std::size_t i = 1; i < tasks.size(); i += 2) {
      spawn(cancel(&*tasks[i]));  // it has been handed over by then
    }
    for (const Handle<void>& task : tasks) {
      co_await until(&*task);
    }
    co_await file->write("the end");
  }(folder / "a", text));
  REQUIRE(text_in(folder / "a") == text + "the end");
}

TEST_CASE_METHOD(UvWorld, "a write that is cut short tries the rest and finds the error",
                 "[step09]") {
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
