#pragma once

#include <deque>
#include <source_location>
#include <string>
#include <utility>

#include "uv_event.hpp"

namespace coop {

/// A change of a file.
struct Change {
  /// Sets both members.
  Change(std::string file, bool came_or_went) : name(std::move(file)), renamed(came_or_went) {}
  bool operator==(const Change&) const = default;

  std::string name;  ///< without its directory
  bool renamed;      ///< it has appeared, vanished or got another name; otherwise it was written to
};

/// Watches a file, or the entries of a directory but not those below, from its construction on. A
/// change equal to the last one that no task has taken is left out, so a change doesn't say how
/// often. A file is watched, and not its name: a file that takes its place later is not watched.
///
/// TrueAsync: file system event.
class Watch final : public UvEvent {
 public:
  /// Throws UvError, with UV_ENOENT if there is nothing of that name.
  explicit Watch(const std::string& path);

  /// Waits for the next change. Any number of tasks may wait, and each change is for one of them.
  Coroutine<Change> next(std::source_location where = std::source_location::current());

  bool is_ready() const override { return status_ < 0 || !changes_.empty(); }

 private:
  void close() noexcept override { handle_.reset(); }
  static void came(uv_fs_event_t* handle, const char* name, int events, int status);
  void add(Change change);

  std::string path_;
  std::deque<Change> changes_;
  int status_ = 0;  // an error for the next call of next()
  UvHandle<uv_fs_event_t> handle_;
};

}  // namespace coop
