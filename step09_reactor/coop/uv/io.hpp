#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "../coroutine.hpp"

namespace coop {

/// What bytes come out of and go into: a pipe, a file, a TCP connection, a terminal. One task may
/// read and others write at the same time. Errors are UvError.
///
/// TrueAsync page, rows 58 and 59 of the chapter's table.
class Io {
 public:
  virtual ~Io() = default;

  /// Waits for the next bytes and gives as many as are there, `at_most` so many; none at the end.
  /// While one task reads, a second one that wants to is refused: `std::logic_error`.
  virtual Coroutine<std::string> read(std::size_t at_most = 65536) = 0;

  /// Writes all of `data`, behind what others are writing already. Ends when the system has taken
  /// it. What has been handed over is written, though the task be cancelled meanwhile.
  virtual Coroutine<> write(std::string data) = 0;

  /// No more of it: whoever waits in read() or write() gets UvError with UV_ECANCELED, whoever
  /// comes later gets one with UV_EBADF. No effect the second time. The destructor does it, too;
  /// but then nobody may be waiting.
  virtual void close() noexcept = 0;
};

/// Something that this process has open already, such as 0 for its standard input: a terminal, a
/// pipe, a file or a socket. It becomes the owner of a copy of the descriptor.
std::unique_ptr<Io> open_descriptor(int descriptor);

}  // namespace coop
