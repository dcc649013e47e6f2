#include "process.hpp"

#include <array>
#include <csignal>

namespace coop {
using namespace detail;
namespace {

UvHandle<UvStream> pipe_for(Stdio stdio) {
  return stdio == Stdio::pipe ? make_pipe() : nullptr;
}

/// What the child gets as `descriptor`.
uv_stdio_container_t given(Stdio stdio, int descriptor, UvStream* pipe) {
  uv_stdio_container_t container{};
  if (stdio == Stdio::inherit) {
    container.flags = UV_INHERIT_FD;
    container.data.fd = descriptor;
  } else if (stdio == Stdio::pipe) {
    const int direction = descriptor == 0 ? UV_READABLE_PIPE : UV_WRITABLE_PIPE;
    container.flags = static_cast<uv_stdio_flags>(UV_CREATE_PIPE | direction);
    container.data.stream = &pipe->stream;
  } else {
    container.flags = UV_IGNORE;
  }
  return container;
}

}  // namespace

Process::Process(std::vector<std::string> arguments, Stdio in, Stdio out, Stdio err) {
  if (arguments.empty()) throw UvError(UV_EINVAL, "cannot start a process without a program");
  const std::string doing = "cannot start " + arguments[0];
  UvHandle<UvStream> in_pipe = pipe_for(in), out_pipe = pipe_for(out), err_pipe = pipe_for(err);
  std::array stdio{given(in, 0, in_pipe.get()), given(out, 1, out_pipe.get()),
                   given(err, 2, err_pipe.get())};
  std::vector<char*> argv;
  for (std::string& argument : arguments) {
    c_string(argument, doing);
    argv.push_back(argument.data());
  }
  argv.push_back(nullptr);

  uv_process_options_t options{};
  options.file = argv[0];
  options.args = argv.data();
  options.stdio = stdio.data();
  options.stdio_count = stdio.size();
  options.exit_cb = ended;
  sigset_t child_ended;
  sigemptyset(&child_ended);
  sigaddset(&child_ended, SIGCHLD);
  pthread_sigmask(SIG_UNBLOCK, &child_ended, nullptr);  // this process may have inherited a mask
  handle_.reset(new uv_process_t{});  // which must be closed even if uv_spawn() fails
  check(uv_spawn(loop(), handle_.get(), &options), doing);
  try {
    input = Stream(std::move(in_pipe));
    output = Stream(std::move(out_pipe));
    errors = Stream(std::move(err_pipe));
  } catch (...) {
    handle_.release()->data = nullptr;  // as in close()
    throw;
  }
  handle_->data = this;
  pid_ = handle_->pid;
}

/// libuv reaps the child only while the handle is open, so ended() closes it, or the reactor.
void Process::close() noexcept {
  if (is_ready()) return handle_.reset();
  if (handle_) handle_.release()->data = nullptr;
}

void Process::ended(uv_process_t* handle, std::int64_t code, int signal) {
  if (!handle->data) return CloseUvHandle()(handle);
  Process& process = *static_cast<Process*>(handle->data);
  process.status_ = ExitStatus{static_cast<int>(code), signal};
  process.wake_all();
}

Coroutine<ExitStatus> Process::exit(std::source_location where) {
  co_await EventAwaiter(*this, where);
  co_return *status_;
}

void Process::kill(int signal) {
  if (is_ready()) return;  // the system may have given its number to another process
  check(uv_kill(pid_, signal), "cannot send signal " + std::to_string(signal));
}

}  // namespace coop
