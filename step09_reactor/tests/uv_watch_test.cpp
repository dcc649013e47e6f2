#include <vector>

#include "coop/uv/watch.hpp"
#include "uv_files.hpp"
#include "uv_world.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

Coroutine<> log_next(Watch* watch, Log* log) {
  const Change change = co_await watch->next();
  log->push_back(change.name + (change.renamed ? " renamed" : " changed"));
}

Coroutine<> watch_nothing(std::string path) {
  const Watch watch(path);
  co_return;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

}  // namespace

TEST_CASE_METHOD(UvWorld,
                 "a watched directory reports each file that appears or changes or disappears",
                 "[step09]") {
  const TemporaryFolder folder;
  write(folder / "old", "");
  std::filesystem::create_directory(folder / "inner");
  scheduler.run([](const TemporaryFolder* in, Log* out) -> Coroutine<> {
    Watch watch(in->path());
    write(*in / "inner/file", "is not reported");
    write(*in / "old", "text");
    co_await log_next(&watch, out);
    write(*in / "new", "text");
    co_await log_next(&watch, out);
    co_await log_next(&watch, out);
    std::filesystem::rename(*in / "new", *in / "newer");
    co_await log_next(&watch, out);
    co_await log_next(&watch, out);
    std::filesystem::remove(*in / "newer");
    co_await log_next(&watch, out);
  }(&folder, &log));
  REQUIRE(log == Log{"old changed", "new renamed", "new changed", "new renamed", "newer renamed",
                     "newer renamed"});
}

TEST_CASE_METHOD(UvWorld, "a watched file reports that it has changed", "[step09]") {
  const TemporaryFolder folder;
  write(folder / "a", "");
  scheduler.run([](std::string path, Log* out) -> Coroutine<> {
    Watch watch(path);
    write(path, "text");
    co_await log_next(&watch, out);
  }(folder / "a", &log));
  REQUIRE(log == Log{"a changed"});
}

TEST_CASE_METHOD(UvWorld, "equal changes in a row that no task takes are one", "[step09]") {
  const TemporaryFolder folder;
  write(folder / "a", "");
  write(folder / "b", "");
  scheduler.run([](const TemporaryFolder* in, Log* out) -> Coroutine<> {
    Watch watch(in->path());
    for (int i = 0; i < 3; ++i) {
      write(*in / "a", "text");
      co_await watch;
    }
    co_await sleep(1ms);
    write(*in / "b", "text");
    co_await log_next(&watch, out);
    co_await log_next(&watch, out);
  }(&folder, &log));
  REQUIRE(log == Log{"a changed", "b changed"});
}

TEST_CASE_METHOD(UvWorld, "each change is for one of the tasks that wait", "[step09]") {
  const TemporaryFolder folder;
  scheduler.run([](const TemporaryFolder* in, Log* out) -> Coroutine<> {
    Watch watch(in->path());
    for (int i = 0; i < 3; ++i) {
      spawn(log_next(&watch, out));
    }
    co_await yield();
    for (std::size_t count = 1; count <= 3; ++count) {
      std::filesystem::create_directory(*in / std::to_string(count));
      while (out->size() < count) {
        co_await yield();
      }
    }
  }(&folder, &log));
  REQUIRE(log == Log{"1 renamed", "2 renamed", "3 renamed"});
}

TEST_CASE_METHOD(UvWorld, "a missing file cannot be watched", "[step09]") {
  const TemporaryFolder folder;
  const std::string missing = folder / "missing";
  scheduler.run(report(&log, "watch", watch_nothing(missing)));
  REQUIRE(log == Log{"watch: cannot watch " + missing + ": no such file or directory (ENOENT)"});
}
