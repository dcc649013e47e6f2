#pragma once

#include <string>
#include <utility>

#include "process.hpp"

namespace coop {

/// The complete outputs of a command, and how it has ended.
struct Finished {
  Finished() = default;
  /// Sets all members.
  Finished(std::string output, std::string errors, ExitStatus end)
      : out(std::move(output)), err(std::move(errors)), status(end) {}

  std::string out;    ///< from its standard output
  std::string err;    ///< from its error output
  ExitStatus status;  ///< how it has ended
};

/// Runs a command of the shell, `/bin/sh -c`, without standard input, and waits until it has ended
/// and both of its outputs have ended. If the command starts something that runs on and shares an
/// output, such as `sleep 9 &`, this waits for that, too; `sleep 9 >/dev/null 2>&1 &` doesn't
/// share.
///
/// If the task is cancelled, the shell gets SIGTERM, but not the programs that it has started, and
/// this doesn't wait for its end. A command that does not exist is not a UvError: the shell reports
/// it with exit code 127.
///
/// TrueAsync: exec.
Coroutine<Finished> run_command(std::string command,
                                std::source_location where = std::source_location::current());

}  // namespace coop
