// Loaded into the web server by the judge: makes the kernel's buffers look small. A write accepts
// at most 512 bytes, and after one that has accepted only a part, the next one would block.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string>

namespace {

constexpr std::size_t most = 512;
bool is_full[65536];  // for each descriptor

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

bool is_socket(int fd) {
  int type = 0;
  socklen_t size = sizeof type;
  return fd >= 0 && fd < 65536 && ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
}

/// Returns true if this write would block. On a socket that blocks, the whole program stands still.
bool would_block(int fd, std::size_t size, bool never_blocks) {
  const bool was_full = is_full[fd];
  is_full[fd] = !was_full && size > most;
  if (!was_full) return false;
  if (never_blocks || (::fcntl(fd, F_GETFL) & O_NONBLOCK)) {
    errno = EAGAIN;
    return true;
  }
  const char text[] = "a write to a blocking socket has stopped all tasks\n";
  static_cast<void>(real<decltype(::write)>("write")(STDERR_FILENO, text, sizeof text - 1));
  ::sleep(8);
  return false;
}

std::string joined(const iovec* pieces, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text.append(static_cast<const char*>(pieces[i].iov_base), pieces[i].iov_len);
  return text;
}

}  // namespace

extern "C" ssize_t send(int fd, const void* data, std::size_t size, int flags) {
  static auto* const real_send = real<decltype(::send)>("send");
  if (!is_socket(fd)) return real_send(fd, data, size, flags);
  if (would_block(fd, size, (flags & MSG_DONTWAIT) != 0)) return -1;
  return real_send(fd, data, std::min(size, most), flags);
}

// The other ways to write do the same.

extern "C" ssize_t sendto(int fd, const void* data, std::size_t size, int flags, const sockaddr*,
                          socklen_t) {
  return send(fd, data, size, flags);
}

extern "C" ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  const std::string text = joined(message->msg_iov, message->msg_iovlen);
  return send(fd, text.data(), text.size(), flags);
}

extern "C" ssize_t writev(int fd, const iovec* pieces, int count) {
  static auto* const real_writev = real<decltype(::writev)>("writev");
  if (!is_socket(fd)) return real_writev(fd, pieces, count);
  const std::string text = joined(pieces, static_cast<std::size_t>(count));
  return write(fd, text.data(), text.size());
}

extern "C" ssize_t write(int fd, const void* data, std::size_t size) {
  static auto* const real_write = real<decltype(::write)>("write");
  if (!is_socket(fd)) return real_write(fd, data, size);
  if (would_block(fd, size, false)) return -1;
  return real_write(fd, data, std::min(size, most));
}
