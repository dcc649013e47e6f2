#pragma once

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// Returns true if the last operation failed only because it would have to wait.
inline bool would_block() {
  return errno == EAGAIN || errno == EINTR;
}

/// A non-blocking socket. Copies refer to the same socket, which is closed with the last copy.
///
/// All operations return `nullopt` if they would block. Other errors are not reported yet: for now,
/// a broken connection looks like one that has ended.
class Socket {
 public:
  /// Owns the file descriptor `fd`, and makes it non-blocking.
  explicit Socket(int fd) : descriptor_(new Descriptor{fd}) { ::fcntl(fd, F_SETFL, O_NONBLOCK); }

  /// Returns the file descriptor.
  int fd() const { return descriptor_->fd; }

  /// Returns the next connection of a listening socket.
  std::optional<Socket> accept() const {
    const int client = ::accept(fd(), nullptr, nullptr);
    if (client < 0) return std::nullopt;
    return Socket(client);
  }

  /// Reads at most `size` bytes, and at most 8192. Returns an empty string at end of file.
  std::optional<std::string> read(std::size_t size) const {
    std::array<char, 8192> data;
    const ssize_t count = ::read(fd(), data.data(), std::min(size, data.size()));
    if (count < 0 && would_block()) return std::nullopt;
    return std::string(data.data(), count < 0 ? 0 : static_cast<std::size_t>(count));
  }

  /// Writes the first part of `data`, as much as fits into the socket's buffer. Returns its size.
  std::optional<std::size_t> write(std::string_view data) const {
    const ssize_t count = ::write(fd(), data.data(), data.size());
    if (count < 0 && would_block()) return std::nullopt;
    return count < 0 ? data.size() : static_cast<std::size_t>(count);
  }

 private:
  struct Descriptor {
    int fd;
    ~Descriptor() { ::close(fd); }
  };
  std::shared_ptr<Descriptor> descriptor_;
};
