#pragma once

#include <uv.h>

#include <map>
#include <vector>

#include "uv_handle.hpp"

namespace coop {

class Poll;

/// libuv allows one uv_poll_t for a descriptor; many tasks may wait for it, to read or to write.
/// The handle is there while somebody waits.
class PollTable {
 public:
  explicit PollTable(uv_loop_t* loop) : loop_(loop) {}

  void add(Poll& poll);
  void remove(Poll& poll) noexcept;

 private:
  struct Entry {
    UvHandle<uv_poll_t> handle;
    std::vector<Poll*> polls;
  };

  void listen(Entry& entry);
  Poll* find(int descriptor, int events) const;
  static void happened(uv_poll_t* handle, int status, int events);

  uv_loop_t* loop_;
  std::map<int, Entry> entries_;
};

}  // namespace coop
