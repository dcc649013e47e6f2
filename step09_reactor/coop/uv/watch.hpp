#pragma once

#include <deque>
#include <source_location>
#include <string>
#include <utility>

#include "uv_event.hpp"

namespace coop {

/// What has happened to a file.
struct Change {
  Change(std::string file, bool came_or_went) : name(std::move(file)), renamed(came_or_went) {}
  bool operator==(const Change&) const = default;

  std::string name;  ///< without its directory
  bool renamed;      ///< it has appeared, gone, or got another name; if not: it was written to
};

/// Watches a file, or what is directly in a directory, from its construction on. A change that is
/// the same as the one before, which nobody has taken yet, is not told again: so a change says
/// "look", and not how often. A file is watched, and not its name: what takes its place later is
/// not. As an event: that there is a change.
///
/// TrueAsync page, row 52 of the chapter's table.
class Watch final : public UvEvent {
 public:
  /// Throws UvError: with UV_ENOENT if there is nothing of that name.
  explicit Watch(const std::string& path);

  /// The next change. Any number of tasks may wait; each change goes to one of them.
  Coroutine<Change> next(std::source_location where = std::source_location::current());

  bool is_ready() const override { return status_ < 0 || !changes_.empty(); }
  std::string description() const override { return "a change of " + path_; }

 private:
  static void came(uv_fs_event_t* handle, const char* name, int events, int status);
  void add(Change change);

  std::string path_;
  std::deque<Change> changes_;
  int status_ = 0;  // an error that the next next() shall throw
  UvHandle<uv_fs_event_t> handle_;
};

}  // namespace coop
