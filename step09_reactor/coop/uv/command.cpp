#include "command.hpp"

#include <csignal>
#include <tuple>
#include <vector>

#include "../all_of.hpp"

namespace coop {
namespace {

Coroutine<std::string> read_all(Stream from, std::source_location where) {
  std::string all;
  while (true) {
    const std::string more = co_await from.read(65536, where);
    if (more.empty()) co_return all;
    all += more;
  }
}

/// A shell that gets SIGTERM if it has not ended when this is destroyed.
struct Shell {
  explicit Shell(std::string command)
      : process({"/bin/sh", "-c", std::move(command)}, Stdio::none, Stdio::pipe, Stdio::pipe) {}
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;
  ~Shell() {
    detail::run_in_callback([this] { process.kill(SIGTERM); });
  }

  Process process;
};

}  // namespace

Coroutine<Finished> run_command(std::string command, std::source_location where) {
  Shell shell(std::move(command));
  Coroutine<std::string> out = read_all(std::move(shell.process.output), where);
  Coroutine<std::string> err = read_all(std::move(shell.process.errors), where);
  std::tuple<std::string, std::string> texts = co_await all_of(std::move(out), std::move(err));
  const ExitStatus status = co_await shell.process.exit(where);
  co_return Finished(std::move(std::get<0>(texts)), std::move(std::get<1>(texts)), status);
}

}  // namespace coop
