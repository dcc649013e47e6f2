#include "frame_pool.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <utility>

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else  // a compiler may come without AddressSanitizer
#define ASAN_POISON_MEMORY_REGION(memory, size) static_cast<void>(size)
#define ASAN_UNPOISON_MEMORY_REGION(memory, size) static_cast<void>(size)
#endif

namespace coop::detail {
namespace {

constexpr std::size_t class_size = 8;     // bytes between one size class and the next
constexpr std::size_t class_count = 256;  // so frames of up to 2 KiB are kept

/// A free frame. The links of the lists are in the frames.
struct Free {
  Free* next;
};

/// Memory from the heap. The frames come after this. What needs an alignment of 16 has a size that
/// is a multiple of 16, so each frame of its class has this alignment.
struct alignas(__STDCPP_DEFAULT_NEW_ALIGNMENT__) Block {
  Block* next;
};

// Trivial, so that the compiler needs no guard around their first use, and that
// they may be used until the end of the thread, after all destructors.
constinit thread_local std::array<Free*, 2 * class_count> lists{};
constinit thread_local Block* blocks = nullptr;
constinit thread_local PoolStatistics statistics{};
constinit thread_local std::size_t block_size = 16384;

/// A frame that is in use when the thread ends stays valid.
struct AtThreadEnd {
  AtThreadEnd() = default;
  AtThreadEnd(const AtThreadEnd&) = delete;
  ~AtThreadEnd() { empty_pool(); }
};

std::size_t class_of(std::size_t size) {
  return (size - 1) / class_size;
}

Free*& list_of(std::size_t n, Memory memory) {
  return lists[memory == Memory::frame ? n : class_count + n];
}

/// Fills the list of a class with frames that are side by side, in order: tasks that are spawned
/// one after the other will have their turns one after the other, too. It is not inlined, so that
/// allocate_frame() saves no registers for it.
[[gnu::noinline]] void add_block(std::size_t n, Free*& list) {
  const std::size_t size = (n + 1) * class_size;
  const std::size_t count = std::max<std::size_t>(block_size / size, 1);
  thread_local const AtThreadEnd at_thread_end;
  blocks = ::new (::operator new(sizeof(Block) + count * size)) Block{blocks};
  std::byte* const frames = reinterpret_cast<std::byte*>(blocks + 1);
  for (std::size_t i = count; i > 0; --i) list = ::new (frames + (i - 1) * size) Free{list};
}

void* take(Free*& list) {
  return std::exchange(list, list->next);
}

void put(Free*& list, void* frame) {
  list = ::new (frame) Free{list};
}

void* allocate_large(std::size_t size) {
  void* const frame = ::operator new(size);
  ++statistics.misses;
  ++statistics.in_use;
  return frame;
}

}  // namespace

void* allocate_frame(std::size_t size, Memory memory) {
  const std::size_t n = class_of(size);
  if (n >= class_count) return allocate_large(size);
  Free*& list = list_of(n, memory);
  if (!list) [[unlikely]] {
    add_block(n, list);
    ++statistics.misses;
  }
  ++statistics.in_use;
  void* const frame = take(list);
  ASAN_UNPOISON_MEMORY_REGION(frame, (n + 1) * class_size);
  return frame;
}

void release_frame(void* frame, std::size_t size, Memory memory) noexcept {
  const std::size_t n = class_of(size);
  --statistics.in_use;
  if (n >= class_count) return ::operator delete(frame);
  put(list_of(n, memory), frame);
  const std::size_t poisoned = (n + 1) * class_size - sizeof(Free);
  ASAN_POISON_MEMORY_REGION(static_cast<Free*>(frame) + 1, poisoned);
}

PoolStatistics pool_statistics() {
  return statistics;
}

void set_pool_block(std::size_t bytes) {
  block_size = bytes;
}

void empty_pool() noexcept {
  statistics.misses = 0;
  lists = {};
  if (statistics.in_use > 0) return;
  while (blocks) ::operator delete(std::exchange(blocks, blocks->next));
}

}  // namespace coop::detail
