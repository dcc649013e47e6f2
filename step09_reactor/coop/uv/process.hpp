#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "stream.hpp"

namespace coop {

/// How a child has ended: by itself, with a code, or by a signal. Look at the signal first: if it
/// is not 0, the code is 0 and says nothing.
struct ExitStatus {
  int code = 0;
  int signal = 0;

  bool is_success() const { return code == 0 && signal == 0; }
};

/// What a child gets as its standard input, output or error output: this program's own, none
/// (`/dev/null`), or a pipe to this program.
enum class Stdio { inherit, none, pipe };

/// A child process. As an event: that it has ended. If the object goes before that, the child runs
/// on, with its pipes closed, and nobody hears of its end; no zombie is left of it while the
/// reactor lives. Use kill() to end it.
///
/// TrueAsync page, row 54 of the chapter's table.
class Process final : public UvEvent {
 public:
  /// Starts it. The first argument is the program, which is looked for as a shell does it. Throws
  /// UvError: with UV_ENOENT if there is no such program, with UV_EMFILE if no descriptor is free
  /// for a pipe.
  explicit Process(std::vector<std::string> arguments, Stdio in = Stdio::inherit,
                   Stdio out = Stdio::inherit, Stdio err = Stdio::inherit);
  ~Process() override;

  /// The pipes that were asked for; null where there is none. They may be closed, or moved away. To
  /// let the child see the end of its input: `child.input->close()`.
  std::unique_ptr<Stream> input;
  std::unique_ptr<Stream> output;
  std::unique_ptr<Stream> errors;

  /// Waits until it has ended. Any number of tasks may, at any time. Bytes may still be in the
  /// pipes.
  Coroutine<ExitStatus> exit(std::source_location where = std::source_location::current());

  /// Sends it a signal; no effect if it has ended. Throws UvError, with UV_EINVAL if there is no
  /// such signal, with UV_EPERM if the child is somebody else's by now.
  void kill(int signal);

  int pid() const { return handle_->pid; }

  bool is_ready() const override { return status_.has_value(); }
  std::string description() const override { return "the end of process " + std::to_string(pid()); }

 private:
  void leave() noexcept;
  static void ended(uv_process_t* handle, std::int64_t code, int signal);

  std::optional<ExitStatus> status_;
  UvHandle<uv_process_t> handle_;
};

}  // namespace coop
