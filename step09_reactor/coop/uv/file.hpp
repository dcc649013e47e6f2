#pragma once

#include <fcntl.h>

#include <memory>
#include <source_location>
#include <string>

#include "descriptor.hpp"
#include "io.hpp"

namespace coop {

/// An open file. The system cannot wait for files, so threads of libuv's pool read and write it;
/// the other tasks go on meanwhile. Reads and writes begin where the last one ended, or at the end
/// if it is open for appending. At the end read() gives nothing, and more when the file has grown.
///
/// Writes go to the system one after the other, in the order of the calls. What a thread has begun
/// goes on when the task is cancelled or the file closed: then a read's bytes are lost, and the
/// descriptor is closed when the thread is done with it. What is queued behind it when the file is
/// closed is not written.
///
/// TrueAsync page, row 59 of the chapter's table.
class File final : public Io {
 public:
  /// `name` is for errors.
  File(Descriptor descriptor, std::string name);
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() override;

  /// Gives 1 MiB at most. UvError with UV_EISDIR if it is a directory.
  Coroutine<std::string> read(std::size_t at_most = 65536) override;

  /// UvError with UV_ENOSPC if the disk is full; then a part may be written.
  Coroutine<> write(std::string data) override;
  void close() noexcept override;

 private:
  struct Opened;

  std::shared_ptr<Opened> get() const;

  std::shared_ptr<Opened> opened_;
};

/// Opens a file, with the flags and the mode of the system's open(). Throws UvError: with UV_ENOENT
/// if there is none, with UV_EISDIR if a directory is opened for writing.
Coroutine<std::unique_ptr<File>> open_file(
    std::string path, int flags = O_RDONLY, int mode = 0644,
    std::source_location where = std::source_location::current());

}  // namespace coop
