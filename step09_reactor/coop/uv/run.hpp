#pragma once

#include <string>
#include <utility>

#include "process.hpp"

namespace coop {

/// What a command has written, all of it, and how it has ended.
struct Finished {
  Finished(std::string output, std::string errors, ExitStatus end)
      : out(std::move(output)), err(std::move(errors)), status(end) {}

  std::string out;
  std::string err;
  ExitStatus status;
};

/// Runs a command of the shell, `/bin/sh -c`, without standard input, and waits until it has ended
/// and both of its outputs have. If it has started something that runs on and holds an output, such
/// as `sleep 9 &`, this waits for that, too: its output belongs to it. `sleep 9 >/dev/null 2>&1 &`
/// does not hold them.
///
/// If the task is cancelled, the shell gets SIGTERM, and nobody waits for its end; what the shell
/// has started does not get it. A command that is not there is no UvError: the shell says so, and
/// the code is 127.
///
/// TrueAsync page, row 56 of the chapter's table; there it ends with the shell, and keeps the
/// signal to itself.
Coroutine<Finished> run_command(std::string command);

}  // namespace coop
