#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "stream.hpp"
#include "uv_event.hpp"

namespace coop {

/// How a child has ended: by itself with an exit code, or by a signal. Look at the signal first: if
/// it is not 0, the code is 0.
struct ExitStatus {
  int code = 0;    ///< the exit code, by convention 0 for success
  int signal = 0;  ///< the signal that has ended it, or 0

  /// Returns true if it has ended by itself with the exit code 0.
  bool is_success() const { return code == 0 && signal == 0; }
};

/// What a child gets as its standard input, output or error output: that of this program, none
/// (`/dev/null`), or a pipe to this program.
enum class Stdio { inherit, none, pipe };

/// A child process, and the event that it has ended. If the object is destroyed before that, the
/// child runs on, and its pipes are closed. While the reactor lives, no zombie is left. To end the
/// child, use kill().
///
/// TrueAsync: process.
class Process final : public UvEvent {
 public:
  /// Starts it. The first argument is the program, which is searched for as a shell does. Throws
  /// UvError: with UV_ENOENT if there is no such program, with UV_EINVAL if there are no arguments,
  /// with UV_EMFILE if the process is out of file descriptors.
  explicit Process(std::vector<std::string> arguments, Stdio in = Stdio::inherit,
                   Stdio out = Stdio::inherit, Stdio err = Stdio::inherit);
  ~Process() override { close(); }

  // The pipes that were asked for; the others are closed. They may be moved away.
  Stream input;   ///< the child sees the end of its input after `child.input.close()`
  Stream output;  ///< what it writes to its standard output
  Stream errors;  ///< what it writes to its error output

  /// Waits until it has ended. Any number of tasks may wait. Its pipes may still contain bytes. No
  /// other call, such as wait() of the system, may reap the child, because this would never end.
  Coroutine<ExitStatus> exit(std::source_location where = std::source_location::current());

  /// Sends it a signal. This has no effect if it has ended. Throws UvError, with UV_EINVAL if there
  /// is no such signal, with UV_EPERM if it is not allowed.
  void kill(int signal);

  /// Returns the number that the system has given it.
  int pid() const { return pid_; }

  bool is_ready() const override { return status_.has_value(); }

 private:
  void close() noexcept override;
  static void ended(uv_process_t* handle, std::int64_t code, int signal);

  std::optional<ExitStatus> status_;
  UvHandle<uv_process_t> handle_;
  int pid_ = 0;
};

}  // namespace coop
