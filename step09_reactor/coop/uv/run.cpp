#include "run.hpp"

#include <csignal>

namespace coop {
namespace {

Coroutine<std::string> read_all(std::unique_ptr<Stream> from) {
  std::string all;
  while (true) {
    const std::string more = co_await from->read();
    if (more.empty()) co_return all;
    all += more;
  }
}

/// Collects what comes out of a pipe, as long as this lives.
struct Collector {
  explicit Collector(std::unique_ptr<Stream> from) : task(spawn(read_all(std::move(from)))) {}
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;
  ~Collector() { task->cancel(); }

  Handle<std::string> task;
};

struct Shell {
  explicit Shell(std::string command)
      : process({"/bin/sh", "-c", std::move(command)}, Stdio::none, Stdio::pipe, Stdio::pipe) {}
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;
  ~Shell() {
    try {
      process.kill(SIGTERM);
    } catch (const std::exception&) {  // it is somebody else's by now
    }
  }

  Process process;
};

}  // namespace

Coroutine<Finished> run_command(std::string command) {
  Shell shell(std::move(command));
  const Collector out(std::move(shell.process.output));
  const Collector err(std::move(shell.process.errors));
  std::string output = co_await out.task;
  std::string errors = co_await err.task;
  const ExitStatus status = co_await shell.process.exit();
  co_return Finished(std::move(output), std::move(errors), status);
}

}  // namespace coop
