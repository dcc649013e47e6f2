#pragma once

#include <cstddef>
#include <memory>
#include <source_location>
#include <string>
#include <utility>

#include "../core/coroutine.hpp"

namespace coop {

/// Something open that bytes are read from and written to: a pipe, a file, a TCP connection, a
/// terminal. It is a value that moves, also while tasks wait for it, and it closes what it has. One
/// task may read while others write. Errors are UvError, with UV_EBADF after close().
///
/// TrueAsync: I/O structure, I/O interface.
class Io {
 public:
  /// Like one that has been closed.
  Io() = default;
  Io(Io&&) noexcept = default;  ///< the other one is closed then
  Io& operator=(Io&& from) noexcept {
    Io old = std::move(from);
    std::swap(opened_, old.opened_);
    return *this;
  }
  ~Io() { close(); }

  /// Waits for the next bytes. Returns as many as are there, but no more than `at_most`, and an
  /// empty string at the end. While one task reads, a second one gets a `std::logic_error`.
  Coroutine<std::string> read(std::size_t at_most = 65536,
                              const std::source_location& where = std::source_location::current()) {
    return opened().read(opened_, at_most, where);
  }

  /// Writes all of `data`, after the data that other tasks are writing, and waits until the system
  /// has taken it. If the task is cancelled meanwhile, the data is still written.
  Coroutine<> write(std::string data,
                    const std::source_location& where = std::source_location::current()) {
    return opened().write(opened_, std::move(data), where);
  }

  /// Closes it. Each task that waits in read() or write() gets UvError with UV_ECANCELED. A second
  /// call has no effect.
  void close() noexcept {
    if (const auto old = std::move(opened_)) old->close();
  }

 protected:
  /// What is open. It is shared with the tasks that wait, which pass it as `self`.
  class Opened {
   public:
    virtual ~Opened() = default;
    virtual Coroutine<std::string> read(std::shared_ptr<Opened> self, std::size_t at_most,
                                        std::source_location where) = 0;
    virtual Coroutine<> write(std::shared_ptr<Opened> self, std::string data,
                              std::source_location where) = 0;
    virtual void close() noexcept = 0;

   protected:
    bool is_read_ = false;
  };

  /// For derived classes: shares `opened` with the tasks that wait.
  explicit Io(std::shared_ptr<Opened> opened) : opened_(std::move(opened)) {}

  /// Throws UvError with UV_EBADF if it is closed.
  Opened& opened() const;

  std::shared_ptr<Opened> opened_;
};

/// Returns an Io for a descriptor that this process has open already, for example 0 for its
/// standard input: a terminal, a pipe, a file or a socket. It owns a copy of the descriptor. Throws
/// UvError.
Io open_descriptor(int descriptor);

/// Reads lines and other pieces from an Io, which outlives it, and which should have no other
/// reader, because this reads ahead. One task at a time. Throws what Io::read() throws.
class BufferedReader {
 public:
  /// A line, or what read_until() returns, has at most `longest` bytes: a longer one could fill
  /// the memory.
  explicit BufferedReader(Io& io, std::size_t longest = 16000000) : io_(io), longest_(longest) {}

  /// Returns what has been read ahead, but no more than `at_most` bytes, and if there is nothing,
  /// waits for the next bytes, as Io::read() does.
  Coroutine<std::string> read(std::size_t at_most = 65536,
                              std::source_location where = std::source_location::current());

  /// Returns the next line with its newline. The last line may have no newline. After it, the line
  /// is empty. Throws UvError with UV_EMSGSIZE if the line is too long.
  Coroutine<std::string> read_line(std::source_location where = std::source_location::current()) {
    return read_until("\n", where);
  }

  /// Returns what comes before the next `text`, and `text`. At the end of the stream, it returns
  /// what is left, and then an empty string. Throws UvError with UV_EMSGSIZE if it is too long.
  Coroutine<std::string> read_until(std::string text,
                                    std::source_location where = std::source_location::current());

  /// Returns the next `n` bytes. If the stream ends before, throws UvError with UV_EOF, and what is
  /// left can still be read.
  Coroutine<std::string> read_exactly(std::size_t n,
                                      std::source_location where = std::source_location::current());

  /// Returns true if nothing has been read ahead.
  bool is_empty() const { return size() == 0; }

 private:
  Coroutine<> read_more(std::source_location where);
  std::string take(std::size_t n);
  std::size_t size() const { return buffer_.size() - taken_; }

  Io& io_;
  std::size_t longest_;
  std::string buffer_;
  std::size_t taken_ = 0;  // bytes of the buffer, until more are read
  bool ended_ = false;
};

}  // namespace coop
