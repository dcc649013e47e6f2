#include "io.hpp"

#include <algorithm>
#include <cerrno>

#include "file.hpp"
#include "stream.hpp"

namespace coop {
using namespace detail;
namespace {

/// Opens the terminal once more, so that it stays blocking for other programs. If that fails, libuv
/// uses `copy`.
Stream open_terminal(Descriptor copy, const std::string& doing) {
  const auto init = [](uv_loop_t* loop, UvStream* handle, int descriptor) {
    return uv_tty_init(loop, &handle->tty, descriptor, 0);
  };
  uv_loop_t* const loop = UvReactor::current().loop();
  Stream stream(make_handle<UvStream>(doing, init, loop, copy.get()));
  if (stream.descriptor() == copy.get()) copy.release();
  return stream;
}

}  // namespace

Io::Opened& Io::opened() const {
  if (!opened_) throw UvError(UV_EBADF, "the stream or file is closed");
  return *opened_;
}

/// The copy is none of 0 to 2, even if one of them is free: see UvReactor::UvReactor().
Io open_descriptor(int descriptor) {
  const std::string name = "descriptor " + std::to_string(descriptor);
  const std::string doing = "cannot use " + name;
  Descriptor copy(::fcntl(descriptor, F_DUPFD_CLOEXEC, 3));
  if (copy.get() < 0) throw UvError(uv_translate_sys_error(errno), doing);
  const uv_handle_type type = uv_guess_handle(copy.get());
  if (type == UV_TTY) return open_terminal(std::move(copy), doing);
  if (type == UV_FILE) return File(std::move(copy), name);
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
  return Stream(std::move(handle));
}

Coroutine<> BufferedReader::read_more(std::source_location where) {
  const std::string more = co_await io_.read(65536, where);
  ended_ = more.empty();
  buffer_.erase(0, std::exchange(taken_, 0));
  buffer_ += more;
}

std::string BufferedReader::take(std::size_t n) {
  const std::string piece = buffer_.substr(taken_, n);
  taken_ += piece.size();
  return piece;
}

Coroutine<std::string> BufferedReader::read(std::size_t at_most, std::source_location where) {
  if (is_empty() && !ended_) {
    co_await read_more(where);
  }
  co_return take(at_most);
}

Coroutine<std::string> BufferedReader::read_until(std::string text, std::source_location where) {
  std::size_t at = buffer_.find(text, taken_);
  while (at == std::string::npos && !ended_ && size() <= longest_) {
    const std::size_t searched = size() - std::min(size(), text.size() - 1);
    co_await read_more(where);
    at = buffer_.find(text, searched);
  }
  const std::size_t n = at == std::string::npos ? size() : at + text.size() - taken_;
  if (n > longest_) throw UvError(UV_EMSGSIZE, "more than " + std::to_string(longest_) + " bytes");
  co_return take(n);
}

Coroutine<std::string> BufferedReader::read_exactly(std::size_t n, std::source_location where) {
  while (size() < n && !ended_) {
    co_await read_more(where);
  }
  if (size() < n) throw UvError(UV_EOF, "cannot read " + std::to_string(n) + " bytes");
  co_return take(n);
}

}  // namespace coop
