#pragma once

#include <fcntl.h>
#include <unistd.h>

#include "io.hpp"

namespace coop {

/// Owns a descriptor of the system, or none (-1).
class Descriptor {
 public:
  /// The caller no longer owns `number`.
  explicit Descriptor(int number = -1) : number_(number) {}
  /// After this, `from` owns none.
  Descriptor(Descriptor&& from) noexcept : number_(from.release()) {}
  Descriptor& operator=(Descriptor&& from) noexcept {
    std::swap(number_, from.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  /// Returns its number, or -1.
  int get() const { return number_; }

  /// From now on, the caller owns it.
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

/// An open file. The system cannot wait for files, so threads of libuv's pool read and write it;
/// meanwhile, the other tasks take their turns. A read or write begins where the last one ended, or
/// at the end if the file is open for appending. At the end of the file, read() returns an empty
/// string, and more when the file has grown. read() returns at most 1 MiB.
///
/// Writes reach the system one after the other, in the order of the calls. If the task is cancelled
/// or the file closed, a read or write that a thread has begun continues: the bytes of the read are
/// lost, and the thread closes the descriptor. The writes in the queue are written after a
/// cancellation, but not after close(). If the disk is full, write() throws UvError with UV_ENOSPC,
/// and a part may have been written.
///
/// TrueAsync: I/O interface.
class File final : public Io {
 public:
  File() = default;

  /// `name` is for errors.
  File(Descriptor descriptor, std::string name);

 private:
  class Opened;
};

/// Opens a file, with the flags and the mode of the system's open(). Throws UvError: with UV_ENOENT
/// if there is no such file, with UV_EISDIR if a directory is opened for writing. A FIFO without
/// its other side keeps one of the four threads of blocking(), and the end of run(), waiting, even
/// after a cancellation: open it by the system's open() with O_NONBLOCK, for open_descriptor().
Coroutine<File> open_file(std::string path, int flags = O_RDONLY, int mode = 0644,
                          std::source_location where = std::source_location::current());

}  // namespace coop
