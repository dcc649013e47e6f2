#include <cerrno>
#include <utility>

#include "file.hpp"
#include "stream.hpp"

namespace coop {
namespace {

/// Not one of 0 to 2, even if one is free.
Descriptor copy_of(int descriptor, const std::string& doing) {
  Descriptor copy(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
  if (copy.get() < 0) throw UvError(uv_translate_sys_error(errno), doing);
  return copy;
}

/// libuv opens the terminal once more, so that it does not get non-blocking for all who have it
/// open. Only if it cannot, it takes our copy.
std::unique_ptr<Io> open_terminal(Descriptor copy, const std::string& doing) {
  const auto init = [](uv_loop_t* loop, UvStream* handle, int descriptor) {
    return uv_tty_init(loop, &handle->tty, descriptor, 0);
  };
  uv_loop_t* const loop = UvReactor::current().loop();
  auto stream = std::make_unique<Stream>(make_handle<UvStream>(doing, init, loop, copy.get()));
  if (stream->descriptor() == copy.get()) copy.release();
  return stream;
}

}  // namespace

std::unique_ptr<Io> open_descriptor(int descriptor) {
  const std::string name = "descriptor " + std::to_string(descriptor);
  const std::string doing = "cannot use " + name;
  Descriptor copy = copy_of(descriptor, doing);
  const uv_handle_type type = uv_guess_handle(copy.get());
  if (type == UV_TTY) return open_terminal(std::move(copy), doing);
  if (type == UV_FILE) return std::make_unique<File>(std::move(copy), name);
  UvHandle<UvStream> handle;
  if (type == UV_NAMED_PIPE) {
    handle = make_pipe();
    check(uv_pipe_open(&handle->pipe, copy.get()), doing);
  } else if (type == UV_TCP) {
    handle = make_tcp();
    check(uv_tcp_open(&handle->tcp, copy.get()), doing);
  } else {
    throw UvError(UV_EINVAL, doing);
  }
  copy.release();
  return std::make_unique<Stream>(std::move(handle));
}

}  // namespace coop
