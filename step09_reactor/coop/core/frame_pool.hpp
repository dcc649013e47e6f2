#pragma once

#include <cstddef>

namespace coop::detail {

/// How the frames of this thread's coroutines were obtained.
struct PoolStatistics {
  std::size_t misses = 0;  ///< from the heap
  std::size_t in_use = 0;  ///< blocks that have not been released
};

/// What the memory is for. Frames and tasks come from different blocks, so that the frames of tasks
/// that have their turns one after the other are side by side.
enum class Memory { frame, task };

/// Keeps the memory of destroyed coroutine frames for the next frames of about the same size, and
/// asks the heap for many at once. Each thread has a pool of its own, and a frame is released on
/// the thread that allocated it. Frames of more than 2 KiB are not kept.
///
/// TrueAsync: context pool, context reuse, pool size.
void* allocate_frame(std::size_t size, Memory memory = Memory::frame);
void release_frame(void* frame, std::size_t size, Memory memory = Memory::frame) noexcept;

/// Gives the standard library such memory, for what is made and destroyed as often as a task.
template <typename T>
struct PoolAllocator {
  using value_type = T;

  PoolAllocator() = default;
  template <typename Other>
  PoolAllocator(const PoolAllocator<Other>&) noexcept {}

  T* allocate(std::size_t n) { return static_cast<T*>(allocate_frame(n * sizeof(T))); }
  void deallocate(T* memory, std::size_t n) noexcept { release_frame(memory, n * sizeof(T)); }

  bool operator==(const PoolAllocator&) const = default;
};

/// Returns the statistics of this thread.
PoolStatistics pool_statistics();

/// Sets how many bytes the pool of this thread asks the heap for at once. The default is 16 KiB.
/// With 0 it asks for one frame at a time, so that AddressSanitizer reports an access after its
/// end. It reports an access to a released frame in any case.
void set_pool_block(std::size_t bytes);

/// Sets the misses to zero, and reuses no frame that is free now. If no frame is in use, the
/// memory is returned to the heap.
void empty_pool() noexcept;

}  // namespace coop::detail
