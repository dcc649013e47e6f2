#include "frame_pool.hpp"

#include <sanitizer/asan_interface.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <utility>

namespace coop {
namespace {

constexpr std::size_t class_size = 16;    // bytes between one size class and the next
constexpr std::size_t class_count = 128;  // so frames of up to 2 KiB are kept

/// A frame that nobody uses. The links of the lists stand in the frames.
struct Free {
  Free* next;
};

/// What the heap gave: the frames stand behind this.
struct alignas(class_size) Block {
  Block* next;
};

// Trivial, so that the compiler needs no guard around their first use, and that
// they may be used until the very end of the thread, behind all destructors.
constinit thread_local std::array<Free*, class_count> lists{};
constinit thread_local Block* blocks = nullptr;
constinit thread_local PoolStatistics statistics{};
constinit thread_local std::size_t block_size = 16384;

/// Whoever still has a frame when the thread ends may keep it.
struct AtThreadEnd {
  AtThreadEnd() = default;
  AtThreadEnd(const AtThreadEnd&) = delete;
  ~AtThreadEnd() { empty_pool(); }
};

std::size_t class_of(std::size_t size) {
  return (size - 1) / class_size;
}

/// Fills the list of a class. Its frames stand side by side, in order: so do those of tasks that
/// are made one after the other, and that is how they will have their turns.
void add_block(std::size_t n) {
  const std::size_t size = (n + 1) * class_size;
  const std::size_t count = std::max<std::size_t>(block_size / size, 1);
  thread_local const AtThreadEnd at_thread_end;
  blocks = ::new (::operator new(sizeof(Block) + count * size)) Block{blocks};
  std::byte* const frames = reinterpret_cast<std::byte*>(blocks + 1);
  for (std::size_t i = count; i > 0; --i) lists[n] = ::new (frames + (i - 1) * size) Free{lists[n]};
}

void* allocate_large(std::size_t size) {
  void* const frame = ::operator new(size);
  ++statistics.misses;
  ++statistics.in_use;
  return frame;
}

}  // namespace

void* allocate_frame(std::size_t size) {
  const std::size_t n = class_of(size);
  if (n >= class_count) return allocate_large(size);
  if (lists[n]) [[likely]] {
    ++statistics.hits;
  } else {
    add_block(n);
    ++statistics.misses;
  }
  ++statistics.in_use;
  Free* const frame = std::exchange(lists[n], lists[n]->next);
  ASAN_UNPOISON_MEMORY_REGION(frame, (n + 1) * class_size);
  return frame;
}

void release_frame(void* frame, std::size_t size) noexcept {
  const std::size_t n = class_of(size);
  --statistics.in_use;
  if (n >= class_count) return ::operator delete(frame);
  lists[n] = ::new (frame) Free{lists[n]};
  ASAN_POISON_MEMORY_REGION(lists[n] + 1, (n + 1) * class_size - sizeof(Free));
}

PoolStatistics pool_statistics() {
  return statistics;
}

void set_pool_block(std::size_t bytes) {
  block_size = bytes;
}

void empty_pool() noexcept {
  statistics.hits = statistics.misses = 0;
  lists = {};
  if (statistics.in_use > 0) return;
  while (blocks) ::operator delete(std::exchange(blocks, blocks->next));
}

}  // namespace coop
