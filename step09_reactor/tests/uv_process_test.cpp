#include <sys/wait.h>

#include <csignal>
#include <memory>
#include <vector>

#include "coop/uv/command.hpp"
#include "coop/uv/thread.hpp"
#include "uv_files.hpp"
#include "uv_tcp.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

std::vector<std::string> shell(const std::string& command) {
  return {"/bin/sh", "-c", command};
}

Coroutine<> log_exit(Process* child, Log* log) {
  const ExitStatus status = co_await child->exit();
  log->push_back("code " + std::to_string(status.code) + " signal " +
                 std::to_string(status.signal));
}

Coroutine<> run_child(std::vector<std::string> arguments, Stdio stdio, Log* log) {
  Process child(std::move(arguments), stdio, stdio, stdio);
  co_await log_exit(&child, log);
}

Coroutine<> run_program(std::string name, Stdio stdio, Log* log) {
  const std::vector<std::string> alone(1, name);
  co_await run_child(alone, stdio, log);
}

Coroutine<> log_command(std::string command, Log* log) {
  const Finished finished = co_await run_command(std::move(command));
  log->push_back(finished.out + "|" + finished.err + "|" + std::to_string(finished.status.code) +
                 "|" + std::to_string(finished.status.signal));
}

Coroutine<> write_and_close(Stream* to, std::string text) {
  co_await to->write(std::move(text));
  to->close();
}

/// Waits until no process has that number, not even a zombie.
Coroutine<> until_reaped(int pid) {
  while (::kill(pid, 0) == 0) {
    co_await blocking(nothing);
  }
}

/// The number that a shell writes into a file.
Coroutine<int> pid_in(std::string path) {
  std::string text;
  while (text.find('\n') == std::string::npos) {
    co_await blocking(nothing);
    text = text_in(path);
  }
  co_return std::stoi(text);
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a child ends with a code or by a signal", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    co_await run_child(shell("exit 0"), Stdio::inherit, out);
    co_await run_child(shell("exit 42"), Stdio::none, out);
    co_await run_child(shell("kill -KILL $$"), Stdio::pipe, out);
  }(&log));
  REQUIRE(log == Log{"code 0 signal 0", "code 42 signal 0", "code 0 signal 9"});
  REQUIRE(ExitStatus().is_success());
  REQUIRE_FALSE(ExitStatus{42, 0}.is_success());
  REQUIRE_FALSE(ExitStatus{0, 9}.is_success());
}

TEST_CASE_METHOD(UvWorld, "the end of a child is seen although SIGCHLD was blocked", "[step09]") {
  sigset_t child_ended, before;
  sigemptyset(&child_ended);
  sigaddset(&child_ended, SIGCHLD);
  ::pthread_sigmask(SIG_BLOCK, &child_ended, &before);
  scheduler.run(with_timeout(10s, run_child(shell("exit 3"), Stdio::none, &log)));
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  REQUIRE(log == Log{"code 3 signal 0"});
}

TEST_CASE_METHOD(UvWorld, "a pipe to a child has no peer", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Process child({"cat"}, Stdio::pipe);
    CHECK_THROWS_AS(child.input.peer(), UvError);
    child.input.close();
    co_await log_exit(&child, out);
  }(&log));
}

TEST_CASE_METHOD(UvWorld, "any number of tasks wait for the end of a child", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Process child({"cat"}, Stdio::pipe);
    for (int i = 0; i < 3; ++i) {
      spawn(log_exit(&child, out));
    }
    co_await yield();
    child.kill(SIGTERM);
    co_await child;
    co_await log_exit(&child, out);
    child.kill(SIGTERM);  // no effect, and no error
  }(&log));
  REQUIRE(log == Log(4, "code 0 signal 15"));
}

TEST_CASE_METHOD(UvWorld, "8 MiB pass through a child", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Process child({"cat"}, Stdio::pipe, Stdio::pipe);
    spawn(write_and_close(&child.input, bytes_from(1)));
    const std::string received = co_await read_all(&child.output);
    CHECK(received == bytes_from(1));
    co_await log_exit(&child, out);
    co_await outcome(out, "no pipe", read_one(out, &child.errors));
  }(&log));
  REQUIRE(log == Log{"code 0 signal 0", "no pipe: EBADF"});
}

TEST_CASE_METHOD(UvWorld, "a child inherits a descriptor or has none or a pipe", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    const std::string each = "for i in 0 1 2; do [ $(readlink /proc/$$/fd/$i) = ";
    const std::string parent = "$(readlink /proc/$PPID/fd/$i)";
    co_await run_child(shell(each + parent + " ] || exit 1; done"), Stdio::inherit, out);
    co_await run_child(shell(each + "/dev/null ] || exit 1; done"), Stdio::none, out);
    Process child(shell("echo out; echo err >&2; cat"), Stdio::pipe, Stdio::pipe, Stdio::pipe);
    spawn(write_and_close(&child.input, "more"));
    const std::string output = co_await read_all(&child.output);
    const std::string errors = co_await read_all(&child.errors);
    CHECK(output == "out\nmore");
    CHECK(errors == "err\n");
  }(&log));
  REQUIRE(log == Log(2, "code 0 signal 0"));
}

TEST_CASE_METHOD(UvWorld, "a child that cannot be started is an error at once", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    co_await report(out, "missing", run_program("./no-such-program", Stdio::pipe, out));
    co_await outcome(out, "no program", run_program("/etc/passwd", Stdio::none, out));
    const std::string zero("true\0", 5);
    co_await outcome(out, "zero byte", run_program(zero, Stdio::none, out));
    const NoMoreDescriptors none;
    co_await outcome(out, "no descriptor", run_program("true", Stdio::pipe, out));
  }(&log));
  REQUIRE(log == Log{"missing: cannot start ./no-such-program: no such file or directory (ENOENT)",
                     "no program: EACCES", "zero byte: EINVAL", "no descriptor: EMFILE"});
}

TEST_CASE_METHOD(UvWorld, "a child whose Process is destroyed runs on and leaves no zombie",
                 "[step09]") {
  const TemporaryFolder folder;
  const Fifo fifo;
  const std::string command = "exec head -n1 " + fifo.path() + " >" + folder / "a";
  scheduler.run([](std::string runs_on, const Fifo* pipe) -> Coroutine<> {
    auto child = std::make_unique<Process>(shell(runs_on), Stdio::none);
    const int pid = child->pid();
    child.reset();
    CHECK(::kill(pid, 0) == 0);
    pipe->put("end\n");
    co_await until_reaped(pid);
  }(command, &fifo));
  REQUIRE(text_in(folder / "a") == "end\n");
}

TEST_CASE_METHOD(UvWorld, "a command returns both outputs and how it ended", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    co_await log_command("echo out; echo err >&2; exit 3", out);
    co_await log_command("printf half; kill -TERM $$", out);
    co_await log_command("cat", out);  // there is no input
    co_await log_command("no-such-program 2>/dev/null", out);
    const Finished large =
        co_await run_command("head -c 8388608 /dev/zero >&2; head -c 8388608 /dev/zero");
    CHECK(large.out == std::string(8 << 20, '\0'));
    CHECK(large.err == std::string(8 << 20, '\0'));
  }(&log));
  REQUIRE(log == Log{"out\n|err\n|3|0", "half||0|15", "||0|0", "||127|0"});
}

TEST_CASE_METHOD(UvWorld, "a command waits for a child of the shell that shares its output",
                 "[step09]") {
  const TemporaryFolder folder;
  const Fifo fifo;
  const std::string pid_file = folder / "pid";
  scheduler.spawn(
      log_command("echo early; (head -n1 " + fifo.path() + ") & echo $$ >" + pid_file, &log));
  scheduler.run([](std::string path, const Fifo* pipe, Log* out) -> Coroutine<> {
    const int pid = co_await pid_in(path);
    co_await until_reaped(pid);
    out->push_back("the shell has ended");
    pipe->put("late\n");
  }(pid_file, &fifo, &log));
  scheduler.run(log_command("head -n1 " + fifo.path() + " >/dev/null 2>&1 &", &log));
  fifo.put("end\n");  // which the last command has not waited for
  REQUIRE(log == Log{"the shell has ended", "early\nlate\n||0|0", "||0|0"});
}

TEST_CASE_METHOD(UvWorld, "the shell of a cancelled command gets SIGTERM and leaves no zombie",
                 "[step09]") {
  const TemporaryFolder folder;
  const Fifo fifo;
  const std::string pid_file = folder / "pid", runs_on = "head -n1 " + fifo.path() + " & ";
  const std::string command = runs_on + "echo $$ >" + pid_file + "; exec cat " + fifo.path();
  const Handle<void> task = scheduler.spawn(outcome(&log, "run", log_command(command, &log)));
  scheduler.run([](std::string path, Handle<void> running) -> Coroutine<> {
    const int pid = co_await pid_in(path);
    running->cancel();
    co_await running;
    co_await until_reaped(pid);
  }(pid_file, task));
  fifo.put("end\n");  // the program that runs on has not been waited for
  REQUIRE(log == Log{"run: cancelled: cancelled"});
}

TEST_CASE_METHOD(UvWorld, "the shell of a cancelled command can clean up", "[step09]") {
  const TemporaryFolder folder;
  const Fifo fifo;
  const std::string pid_file = folder / "pid", ended = folder / "ended";
  const std::string runs_on = "head -n1 " + fifo.path() + " & ";
  const std::string trap = "trap 'echo cleaned up >" + ended + "; exit' TERM; ";
  const std::string command = runs_on + trap + "echo $$ >" + pid_file + "; wait";
  const Handle<void> task = scheduler.spawn(outcome(&log, "run", log_command(command, &log)));
  scheduler.run([](std::string path, Handle<void> running) -> Coroutine<> {
    const int pid = co_await pid_in(path);
    running->cancel();
    co_await running;
    co_await until_reaped(pid);
  }(pid_file, task));
  fifo.put("end\n");  // the program that runs on has not been waited for
  REQUIRE(log == Log{"run: cancelled: cancelled"});
  REQUIRE(text_in(ended) == "cleaned up\n");
}
