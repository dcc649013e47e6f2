#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

/// What an operation gave, or why it gave nothing: `error` is empty on success. If the operation
/// would have to wait, try_again() holds for the error.
template <typename T>
struct Result {
  T value{};
  std::error_code error;
};

/// An open file descriptor and its only owner: it is closed with close() or at the end of its life.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(); }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

  /// The number, or -1 once it is closed.
  int number() const { return number_; }

  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

/// A socket (or a pipe's end) that never blocks. Copies are handles to the same one; it is closed
/// by close(), or when the last handle is gone. On a closed one each operation gives an error.
///
/// Article: "Non-Blocking IO", where only the listening socket does not block.
class Socket {
 public:
  /// No socket: like a closed one.
  Socket() = default;

  /// Takes over a descriptor, which must be set to non-blocking already. It has an owner before
  /// memory is asked for: there may be none.
  explicit Socket(int number) : descriptor_(std::make_shared<Descriptor>(Descriptor(number))) {}

  /// For the scheduler, which must not keep a socket alive by waiting for it.
  const std::shared_ptr<Descriptor>& descriptor() const { return descriptor_; }

  /// Who waits for the socket is woken with an error.
  void close() {
    if (descriptor_) descriptor_->close();
  }

  /// The next connection of a listening socket.
  Result<Socket> accept() const {
    const int client = ::accept4(number(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (client < 0) return {Socket(), last_error()};
    return {Socket(client), {}};
  }

  /// What has arrived, at most `most` bytes. Nothing, without an error, is the end of the stream.
  Result<std::string> read(std::size_t most) const {
    std::array<char, 65536> buffer;  // on the stack: a string would be cleared first, for nothing
    const ssize_t count = ::read(number(), buffer.data(), std::min(most, buffer.size()));
    if (count < 0) return {{}, last_error()};
    return {std::string(buffer.data(), static_cast<std::size_t>(count)), {}};
  }

  /// Writes as much of `data` as there is room for, and gives how much that was. A peer that is
  /// gone is an error here and no SIGPIPE.
  Result<std::size_t> write(std::string_view data) const {
    const ssize_t count = ::send(number(), data.data(), data.size(), MSG_NOSIGNAL);
    if (count < 0) return {0, last_error()};
    return {static_cast<std::size_t>(count), {}};
  }

  /// Tells the peer that nothing more will come. Reading goes on.
  void shutdown_write() const { ::shutdown(number(), SHUT_WR); }

  /// The number of the descriptor; -1 if closed.
  int number() const { return descriptor_ ? descriptor_->number() : -1; }

 private:
  static std::error_code last_error() { return {errno, std::system_category()}; }

  std::shared_ptr<Descriptor> descriptor_;
};

/// Is it an error after which one waits and tries again? It would have had to wait, or a signal
/// came.
inline bool try_again(const std::error_code& error) {
  return error == std::errc::operation_would_block ||
         error == std::errc::resource_unavailable_try_again || error == std::errc::interrupted;
}
