#pragma once

#include <cstddef>

namespace coop {

/// How the frames of this thread's coroutines were obtained.
struct PoolStatistics {
  std::size_t hits = 0;    ///< from the pool
  std::size_t misses = 0;  ///< for these the heap was asked
  std::size_t in_use = 0;  ///< frames and records that have not been given back
};

/// Keeps the memory of destroyed coroutine frames for the next ones of about their size, and asks
/// the heap for many frames at once. A stackless coroutine has no stack that could be given to the
/// next one; this is what takes its place. One pool for each thread, and a frame is given back on
/// the thread it comes from; large frames are not kept.
///
/// TrueAsync page, rows 8 and 37 to 39 of the chapter's table.
void* allocate_frame(std::size_t size);
void release_frame(void* frame, std::size_t size) noexcept;

/// Of this thread.
PoolStatistics pool_statistics();

/// How many bytes of frames the pool of this thread asks the heap for at once: 16 KiB, unless told.
/// With 0 it is one frame at a time, so that AddressSanitizer sees what is beyond its end. Who uses
/// a frame that has been given back, it sees in any case.
void set_pool_block(std::size_t bytes);

/// Starts anew, on this thread: hits and misses count from zero, and no frame that is free now is
/// used again. The memory goes back to the heap if no frame is in use.
void empty_pool() noexcept;

}  // namespace coop
