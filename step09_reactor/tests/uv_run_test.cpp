#include <csignal>
#include <functional>
#include <string>
#include <utility>

#include "coop/uv/blocking.hpp"
#include "coop/uv/run.hpp"
#include "uv_files.hpp"
#include "uv_world.hpp"

using namespace coop;

namespace {

Coroutine<> say_finished(std::string command, Log* log) {
  const Finished finished = co_await run_command(std::move(command));
  log->push_back(finished.out + "|" + finished.err + "|" + std::to_string(finished.status.code) +
                 "|" + std::to_string(finished.status.signal));
}

void nothing() {}

/// The number that a shell writes into a file.
Coroutine<int> pid_in(std::string path) {
  std::string text;
  while (text.find('\n') == std::string::npos) {
    co_await run_in_thread(nothing);
    text = text_in(path);
  }
  co_return std::stoi(text);
}

/// No process has that number any more, and no zombie.
Coroutine<> until_gone(int pid) {
  while (::kill(pid, 0) == 0) {
    co_await run_in_thread(nothing);
  }
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a command gives its outputs and how it ended", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    co_await say_finished("echo out; echo err >&2; exit 3", out);
    co_await say_finished("printf half; kill -TERM $$", out);
    co_await say_finished("cat", out);  // there is no input
    co_await say_finished("", out);
    co_await say_finished("no-such-program 2>/dev/null", out);
  }(&log));
  REQUIRE(log == Log{"out\n|err\n|3|0", "half||0|15", "||0|0", "||0|0", "||127|0"});
}

TEST_CASE_METHOD(UvWorld, "a command that writes 8 MiB to each of its outputs", "[step09]") {
  scheduler.run([]() -> Coroutine<> {
    const Finished finished =
        co_await run_command("head -c 8388608 /dev/zero >&2; head -c 8388608 /dev/zero");
    CHECK(finished.out == std::string(8 << 20, '\0'));
    CHECK(finished.err == std::string(8 << 20, '\0'));
    CHECK(finished.status.is_success());
  }());
}

TEST_CASE_METHOD(UvWorld, "many commands run at the same time", "[step09]") {
  const Fifo fifo;
  for (int i = 0; i < 10; ++i) {
    scheduler.spawn(say_finished("head -c1 " + fifo.path(), &log));
  }
  fifo.put("xxxxxxxxxx");  // each of them takes as many as it gets
  for (int i = 0; i < 9; ++i) scheduler.spawn(say_finished("printf x >" + fifo.path(), &log));
  scheduler.run();
  REQUIRE(std::count(log.begin(), log.end(), "x||0|0") == 10);
}

TEST_CASE_METHOD(UvWorld, "a command that takes too long and one that is destroyed while it runs",
                 "[step09]") {
  const TemporaryFolder folder;
  const Fifo fifo;
  const std::string pid_file = folder / "pid", command = "exec cat " + fifo.path();
  scheduler.spawn(say_finished("echo $$ >" + pid_file + "; " + command, &log));
  const auto main = [](std::string path, std::string endless, Log* out) -> Coroutine<> {
    co_await outcome(out, "late",
                     with_timeout(std::chrono::milliseconds(1), say_finished(endless, out)));
    co_await pid_in(path);
    co_await stop();
  };
  REQUIRE_THROWS_AS(scheduler.run(main(pid_file, command, &log)), Stopped);
  REQUIRE(log == Log{"late: The time is over"});
}

TEST_CASE_METHOD(UvWorld, "a command waits for what it has started and shares its output",
                 "[step09]") {
  const TemporaryFolder folder;
  const Fifo fifo;
  const std::string pid_file = folder / "pid";
  scheduler.spawn(
      say_finished("echo early; (head -n1 " + fifo.path() + ") & echo $$ >" + pid_file, &log));
  scheduler.run([](std::string path, const Fifo* pipe, Log* out) -> Coroutine<> {
    const int pid = co_await pid_in(path);
    co_await until_gone(pid);
    out->push_back("the shell has ended");
    pipe->put("late\n");
  }(pid_file, &fifo, &log));
  REQUIRE(log == Log{"the shell has ended", "early\nlate\n||0|0"});
}

TEST_CASE_METHOD(UvWorld, "a command does not wait for what does not share its outputs",
                 "[step09]") {
  const Fifo fifo;
  scheduler.run(say_finished("head -n1 " + fifo.path() + " >/dev/null 2>&1 &", &log));
  fifo.put("end\n");
  REQUIRE(log == Log{"||0|0"});
}

TEST_CASE_METHOD(UvWorld, "a command that closes its outputs is waited for until it ends",
                 "[step09]") {
  const TemporaryFolder folder;
  const Fifo fifo;
  const std::string pid_file = folder / "pid";
  scheduler.spawn(say_finished(
      "exec >/dev/null 2>&1; echo $$ >" + pid_file + "; head -n1 " + fifo.path() + "; exit 5",
      &log));
  scheduler.run([](std::string path, const Fifo* pipe, Log* out) -> Coroutine<> {
    co_await pid_in(path);
    out->push_back("it runs");
    pipe->put("end\n");
  }(pid_file, &fifo, &log));
  REQUIRE(log == Log{"it runs", "||5|0"});
}

TEST_CASE_METHOD(UvWorld, "a command whose task is cancelled gets SIGTERM and leaves no zombie",
                 "[step09]") {
  const TemporaryFolder folder;
  const Fifo fifo;
  const std::string pid_file = folder / "pid", runs_on = "head -n1 " + fifo.path() + " & ";
  const std::string command = runs_on + "echo $$ >" + pid_file + "; exec cat " + fifo.path();
  const Handle<void> task = scheduler.spawn(outcome(&log, "run", say_finished(command, &log)));
  scheduler.run([](std::string path, Task* running) -> Coroutine<> {
    const int pid = co_await pid_in(path);
    running->cancel();
    co_await until(running);
    co_await until_gone(pid);
  }(pid_file, &*task));
  fifo.put("end\n");  // nobody has waited for the one that runs on
  REQUIRE(log == Log{"run: cancelled: cancelled"});
}

TEST_CASE_METHOD(UvWorld, "no descriptor is free for a command", "[step09]") {
  const NoMoreDescriptors none;
  scheduler.run(outcome(&log, "run", say_finished("true", &log)));
  REQUIRE(log == Log{"run: EMFILE"});
}
