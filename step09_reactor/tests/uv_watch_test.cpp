#include <functional>
#include <string>
#include <utility>

#include "coop/uv/watch.hpp"
#include "uv_files.hpp"
#include "uv_world.hpp"

using namespace coop;

namespace {

Coroutine<> say_next(Watch* watch, Log* log) {
  const Change change = co_await watch->next();
  log->push_back(change.name + (change.renamed ? " renamed" : " changed"));
}

Coroutine<> watching_contract(std::string path, Log* log) {
  Watch watch(path);
  std::function<Coroutine<>()> waits = [&] { return say_next(&watch, log); };
  co_await keep_contract(log, waits);
}

Coroutine<> watch_nothing(std::string path) {
  Watch watch(path);
  co_return;
}

void write(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::app) << text;
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a watched folder says which file came or changed or went", "[step09]") {
  const TemporaryFolder folder;
  write(folder / "old", "");
  scheduler.run([](const TemporaryFolder* in, Log* out) -> Coroutine<> {
    Watch watch(in->path());
    write(*in / "old", "text");
    co_await say_next(&watch, out);
    write(*in / "new", "text");
    co_await say_next(&watch, out);
    co_await say_next(&watch, out);
    std::filesystem::rename(*in / "new", *in / "newer");
    co_await say_next(&watch, out);
    co_await say_next(&watch, out);
    std::filesystem::remove(*in / "newer");
    co_await say_next(&watch, out);
  }(&folder, &log));
  REQUIRE(log == Log{"old changed", "new renamed", "new changed", "new renamed", "newer renamed",
                     "newer renamed"});
}

TEST_CASE_METHOD(UvWorld, "a watched file says that it has grown and that it is gone", "[step09]") {
  const TemporaryFolder folder;
  write(folder / "a", "");
  scheduler.run([](std::string path, Log* out) -> Coroutine<> {
    Watch watch(path);
    const Handle<void> task = spawn(say_next(&watch, out));
    co_await suspend();
    out->push_back("now");
    write(path, "text");
    co_await task;
    std::filesystem::remove(path);
    Change change = co_await watch.next();
    while (!change.renamed) {
      change = co_await watch.next();
    }
    out->push_back(change.name + " is gone");
  }(folder / "a", &log));
  REQUIRE(log == Log{"now", "a changed", "a is gone"});
}

TEST_CASE_METHOD(UvWorld, "watching keeps the contract of what can be waited for", "[step09]") {
  const TemporaryFolder folder;
  check_contract(this, watching_contract(folder.path(), &log));
}

TEST_CASE_METHOD(UvWorld, "changes that nobody takes are told once while they are the same",
                 "[step09]") {
  const TemporaryFolder folder;
  write(folder / "a", "");
  write(folder / "b", "");
  scheduler.run([](const TemporaryFolder* in, Log* out) -> Coroutine<> {
    Watch watch(in->path());
    for (int i = 0; i < 3; ++i) {
      write(*in / "a", "text");
      co_await wait(watch);
      UvReactor::current().tick(false);
    }
    write(*in / "b", "text");
    co_await say_next(&watch, out);
    co_await say_next(&watch, out);
  }(&folder, &log));
  REQUIRE(log == Log{"a changed", "b changed"});
}

TEST_CASE_METHOD(UvWorld, "each change goes to one of those who wait", "[step09]") {
  const TemporaryFolder folder;
  scheduler.run([](const TemporaryFolder* in, Log* out) -> Coroutine<> {
    Watch watch(in->path());
    for (int i = 0; i < 3; ++i) {
      spawn(say_next(&watch, out));
    }
    co_await suspend();
    for (std::size_t count = 1; count <= 3; ++count) {
      std::filesystem::create_directory(*in / std::to_string(count));
      while (out->size() < count) {
        co_await suspend();
      }
    }
  }(&folder, &log));
  REQUIRE(log == Log{"1 renamed", "2 renamed", "3 renamed"});
}

TEST_CASE_METHOD(UvWorld, "nothing can be watched that is not there", "[step09]") {
  const TemporaryFolder folder;
  const std::string missing = folder / "missing";
  scheduler.run(report(&log, "watch", watch_nothing(missing)));
  REQUIRE(log == Log{"watch: cannot watch " + missing + ": no such file or directory (ENOENT)"});
}
