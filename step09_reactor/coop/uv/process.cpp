#include "process.hpp"

#include <array>

namespace coop {
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

std::unique_ptr<Stream> stream_of(UvHandle<UvStream> pipe) {
  return pipe ? std::make_unique<Stream>(std::move(pipe)) : nullptr;
}

}  // namespace

Process::Process(std::vector<std::string> arguments, Stdio in, Stdio out, Stdio err) {
  const std::string doing = "cannot start " + arguments.at(0);
  UvHandle<UvStream> in_pipe = pipe_for(in), out_pipe = pipe_for(out), err_pipe = pipe_for(err);
  std::array stdio{given(in, 0, in_pipe.get()), given(out, 1, out_pipe.get()),
                   given(err, 2, err_pipe.get())};
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);

  uv_process_options_t options{};
  options.file = argv[0];
  options.args = argv.data();
  options.stdio = stdio.data();
  options.stdio_count = stdio.size();
  options.exit_cb = ended;
  handle_.reset(new uv_process_t{});  // which is to be closed even if uv_spawn() fails
  handle_->data = this;
  check(uv_spawn(loop(), handle_.get(), &options), doing);
  try {
    input = stream_of(std::move(in_pipe));
    output = stream_of(std::move(out_pipe));
    errors = stream_of(std::move(err_pipe));
  } catch (...) {
    leave();
    throw;
  }
}

Process::~Process() {
  if (!status_) leave();
}

/// libuv waits for its child as long as the handle is open. So one that runs on keeps its handle,
/// which goes when it has ended, or with the reactor.
void Process::leave() noexcept {
  handle_.release()->data = nullptr;
}

void Process::ended(uv_process_t* handle, std::int64_t code, int signal) {
  if (!handle->data) return CloseUvHandle()(handle);
  Process& process = *static_cast<Process*>(handle->data);
  process.status_ = ExitStatus{static_cast<int>(code), signal};
  process.happen();
}

Coroutine<ExitStatus> Process::exit(std::source_location where) {
  co_await wait(*this, where);
  co_return *status_;
}

void Process::kill(int signal) {
  if (status_) return;  // its number may be somebody else's by now
  const int result = uv_process_kill(handle_.get(), signal);
  if (result < 0) throw UvError(result, "cannot send signal " + std::to_string(signal));
}

}  // namespace coop
