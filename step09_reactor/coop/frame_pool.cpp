#include "frame_pool.hpp"

#include <array>
#include <new>
#include <utility>

namespace coop {
namespace {

constexpr std::size_t class_size = 64;   // bytes between one size class and the next
constexpr std::size_t class_count = 32;  // so frames of up to 2 KiB are kept

/// The free frames of one thread, a list for each size class. The links stand in the frames.
struct Pool {
  struct Free {
    Free* next;
  };
  std::array<Free*, class_count> lists{};
  PoolStatistics statistics;

  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() { clear(); }

  void clear() noexcept {
    for (Free*& list : lists) {
      while (list) {
        Free* const next = list->next;
        ::operator delete(list);
        list = next;
      }
    }
    statistics.hits = statistics.misses = statistics.free = 0;
  }
};

Pool& pool() {
  thread_local Pool instance;
  return instance;
}

std::size_t class_of(std::size_t size) {
  return (size - 1) / class_size;
}

}  // namespace

void* allocate_frame(std::size_t size) {
  Pool& here = pool();
  const std::size_t n = class_of(size);
  if (n < class_count && here.lists[n]) {
    ++here.statistics.in_use;
    ++here.statistics.hits;
    --here.statistics.free;
    return std::exchange(here.lists[n], here.lists[n]->next);
  }
  void* const fresh = ::operator new(n < class_count ? (n + 1) * class_size : size);
  ++here.statistics.in_use;
  ++here.statistics.misses;
  return fresh;
}

void release_frame(void* frame, std::size_t size) noexcept {
  Pool& here = pool();
  const std::size_t n = class_of(size);
  --here.statistics.in_use;
  if (n >= class_count) return ::operator delete(frame);
  ++here.statistics.free;
  here.lists[n] = ::new (frame) Pool::Free{here.lists[n]};
}

PoolStatistics pool_statistics() {
  return pool().statistics;
}

void empty_pool() noexcept {
  pool().clear();
}

}  // namespace coop
