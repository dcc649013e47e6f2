#include <csignal>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "coop/uv/process.hpp"
#include "uv_files.hpp"
#include "uv_world.hpp"

using namespace coop;
using namespace std::chrono_literals;

namespace {

std::vector<std::string> shell(const std::string& command) {
  return {"/bin/sh", "-c", command};
}

std::string text_of(const ExitStatus& status) {
  return "code " + std::to_string(status.code) + " signal " + std::to_string(status.signal);
}

Coroutine<> say_exit(Process* child, Log* log) {
  const ExitStatus status = co_await child->exit();
  log->push_back(text_of(status));
}

Coroutine<> run_child(std::vector<std::string> arguments, Stdio stdio, Log* log) {
  Process child(std::move(arguments), stdio, stdio, stdio);
  co_await say_exit(&child, log);
}

Coroutine<> run_program(std::string name, Stdio stdio, Log* log) {
  const std::vector<std::string> alone(1, name);
  co_await run_child(alone, stdio, log);
}

Coroutine<> exit_contract(Log* log) {
  Process child({"cat"}, Stdio::pipe);
  std::function<Coroutine<>()> waits = [&] { return say_exit(&child, log); };
  co_await keep_contract(log, waits);
}

int count_handles(uv_loop_t* loop) {
  int count = 0;
  uv_walk(loop, [](uv_handle_t*, void* so_far) { ++*static_cast<int*>(so_far); }, &count);
  return count;
}

/// While it lives, a descriptor of this program is a file.
class Redirected {
 public:
  Redirected(int descriptor, const std::string& path)
      : descriptor_(descriptor), before_(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3)) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    ::dup2(file, descriptor);
    ::close(file);
  }
  Redirected(const Redirected&) = delete;
  ~Redirected() {
    ::dup2(before_, descriptor_);
    ::close(before_);
  }

 private:
  int descriptor_, before_;
};

Coroutine<> write_all(Stream* to, std::string text) {
  co_await to->write(std::move(text));
  to->close();
}

Coroutine<std::string> read_all(Stream* from) {
  std::string all, part;
  do {
    part = co_await from->read();
    all += part;
  } while (!part.empty());
  co_return all;
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

TEST_CASE_METHOD(UvWorld, "any number of tasks wait for the end of a child and after it",
                 "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Process child({"cat"}, Stdio::pipe);
    CHECK_FALSE(child.is_ready());
    for (int i = 0; i < 3; ++i) {
      spawn(say_exit(&child, out));
    }
    co_await suspend();
    child.kill(SIGTERM);
    co_await until(&child);
    co_await say_exit(&child, out);
    child.kill(SIGTERM);  // no effect, and no error
  }(&log));
  REQUIRE(log == Log(4, "code 0 signal 15"));
}

TEST_CASE_METHOD(UvWorld, "the end of a child keeps the contract of what can be waited for",
                 "[step09]") {
  check_contract(this, exit_contract(&log));
}

TEST_CASE_METHOD(UvWorld, "8 MiB through a child", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Process child({"cat"}, Stdio::pipe, Stdio::pipe);
    CHECK(child.errors == nullptr);
    const std::string sent = long_text(8 << 20);
    spawn(write_all(child.input.get(), sent));
    const std::string received = co_await read_all(child.output.get());
    CHECK(received == sent);
    co_await say_exit(&child, out);
  }(&log));
  REQUIRE(log == Log{"code 0 signal 0"});
}

TEST_CASE_METHOD(UvWorld, "a child that leaves early is an error for who writes to it",
                 "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Process child(shell("exit 0"), Stdio::pipe);
    co_await say_exit(&child, out);
    co_await outcome(out, "write", write_all(child.input.get(), long_text(8 << 20)));
  }(&log));
  REQUIRE(log == Log{"code 0 signal 0", "write: EPIPE"});
}

TEST_CASE_METHOD(UvWorld, "a child that has ended leaves no handle", "[step09]") {
  scheduler.run([](Log* out, uv_loop_t* loop) -> Coroutine<> {
    const int before = count_handles(loop);
    co_await run_program("true", Stdio::pipe, out);
    co_await delay(1ms);  // libuv closes in its next tick
    CHECK(count_handles(loop) == before);
  }(&log, reactor.loop()));
}

TEST_CASE_METHOD(UvWorld, "a child has what this program has or nothing or a pipe", "[step09]") {
  const TemporaryFolder folder;
  const Redirected to_0(0, folder / "0"), to_1(1, folder / "1"), to_2(2, folder / "2");
  scheduler.run([](Log* out) -> Coroutine<> {
    const std::string its = "[ $(readlink /proc/$$/fd/$0) = ";
    for (const char* descriptor : {"0", "1", "2"}) {
      std::vector<std::string> same = shell(its + "$(readlink /proc/$PPID/fd/$0) ]");
      same.emplace_back(descriptor);
      co_await run_child(same, Stdio::inherit, out);
      std::vector<std::string> none = shell(its + "/dev/null ]");
      none.emplace_back(descriptor);
      co_await run_child(none, Stdio::none, out);
    }
    Process child(shell("echo out; echo err >&2; cat"), Stdio::pipe, Stdio::pipe, Stdio::pipe);
    spawn(write_all(child.input.get(), "more"));
    const std::string output = co_await read_all(child.output.get());
    const std::string errors = co_await read_all(child.errors.get());
    CHECK(output == "out\nmore");
    CHECK(errors == "err\n");
  }(&log));
  REQUIRE(log == Log(6, "code 0 signal 0"));
}

TEST_CASE_METHOD(UvWorld, "a child that cannot be started is an error at once", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    for (const Stdio stdio : {Stdio::inherit, Stdio::none, Stdio::pipe}) {
      co_await report(out, "missing", run_program("no-such-program", stdio, out));
    }
    co_await outcome(out, "no program", run_program("/etc/passwd", Stdio::pipe, out));
    co_await outcome(out, "a folder", run_program("/tmp", Stdio::pipe, out));
    const NoMoreDescriptors none;
    co_await outcome(out, "no descriptor", run_program("true", Stdio::pipe, out));
  }(&log));
  const std::string missing =
      "missing: cannot start no-such-program: no such file or directory (ENOENT)";
  REQUIRE(log == Log{missing, missing, missing, "no program: EACCES", "a folder: EACCES",
                     "no descriptor: EMFILE"});
}

TEST_CASE_METHOD(UvWorld, "a child can be sent a signal that there is", "[step09]") {
  scheduler.run([](Log* out) -> Coroutine<> {
    Process child({"cat"}, Stdio::pipe);
    try {
      child.kill(1000);
    } catch (...) {
      out->push_back(name_of(std::current_exception()));
    }
    child.kill(0);
    child.input->close();
    co_await say_exit(&child, out);
  }(&log));
  REQUIRE(log == Log{"EINVAL", "code 0 signal 0"});
}
