#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "coop/uv/blocking.hpp"
#include "coop/uv/process.hpp"
#include "uv_files.hpp"
#include "uv_world.hpp"

using namespace coop;

// Children that nobody waits for any more.

namespace {

/// Has this program no child of that number, neither a running one nor a zombie?
bool is_gone(int pid) {
  siginfo_t info{};
  const auto id = static_cast<id_t>(pid);
  return ::waitid(P_PID, id, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD;
}

void nothing() {}

Coroutine<> until_gone(int pid) {
  while (!is_gone(pid)) {
    co_await run_in_thread(nothing);
  }
}

}  // namespace

TEST_CASE_METHOD(UvWorld, "a child whose object has gone runs on and leaves no zombie",
                 "[step09]") {
  const Fifo fifo;
  scheduler.run([](const Fifo* pipe) -> Coroutine<> {
    auto child = std::make_unique<Process>(std::vector<std::string>{"head", "-n1", pipe->path()},
                                           Stdio::none, Stdio::none);
    const int pid = child->pid();
    child.reset();
    CHECK(::kill(pid, 0) == 0);
    pipe->put("end\n");
    co_await until_gone(pid);
  }(&fifo));
}

TEST_CASE("a reactor goes before a child that runs on", "[step09]") {
  const Fifo fifo;
  int pid = 0;
  {
    UvWorld world;
    world.scheduler.run([](std::string path, int* out) -> Coroutine<> {
      const std::vector<std::string> arguments{"head", "-n1", path};
      *out = Process(arguments, Stdio::none, Stdio::none).pid();
      co_return;
    }(fifo.path(), &pid));
  }
  fifo.put("end\n");
  REQUIRE(::waitpid(pid, nullptr, 0) == pid);
}
