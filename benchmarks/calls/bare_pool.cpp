// The families of bare.cpp that create frames, with frames from the pool of step 9.

#include "bare.hpp"
#include "coop/core/frame_pool.hpp"

namespace {

struct Pool {
  static void* operator new(std::size_t size) { return coop::allocate_frame(size); }
  static void operator delete(void* frame, std::size_t size) noexcept {
    coop::release_frame(frame, size);
  }
};

}  // namespace

BENCHMARK(call<Pool>)->Name("call");
BENCHMARK(spawn<Pool>)->Name("spawn");
