#pragma once

#include <cstddef>

namespace coop {

/// How the frames of this thread's coroutines were obtained.
struct PoolStatistics {
  std::size_t hits = 0;    ///< from the pool
  std::size_t misses = 0;  ///< from the heap
  std::size_t free = 0;    ///< in the pool now
  std::size_t in_use = 0;  ///< frames and records that have not been given back
};

/// Keeps the memory of destroyed coroutine frames for the next ones of about their size. A
/// stackless coroutine has no stack that could be given to the next one; this is what takes its
/// place. One pool for each thread; large frames are not kept.
///
/// TrueAsync page, rows 8 and 37 to 39 of the chapter's table.
void* allocate_frame(std::size_t size);
void release_frame(void* frame, std::size_t size) noexcept;

/// Of this thread.
PoolStatistics pool_statistics();

/// Gives what the pool of this thread keeps back to the heap, and counts hits and misses from zero.
void empty_pool() noexcept;

}  // namespace coop
