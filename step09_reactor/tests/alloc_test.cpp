#include <cstddef>
#include <cstdlib>
#include <new>

#include "allocations.hpp"

namespace {

struct State {
  std::size_t count = 0;
  std::size_t left = 0;  // until one fails; 0: none does
  bool all = false;
  bool failed = false;
};

thread_local State state;

void* allocate(std::size_t size) noexcept {
  ++state.count;
  if (state.left > 0 && --state.left == 0) {
    state.failed = true;
    if (state.all) state.left = 1;
    return nullptr;
  }
  return std::malloc(size > 0 ? size : 1);
}

void* allocate_or_throw(std::size_t size) {
  void* const memory = allocate(size);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

std::size_t allocations::count() {
  return state.count;
}

void allocations::fail_at(std::size_t n, bool all) {
  state.left = n;
  state.all = all;
  state.failed = false;
}

bool allocations::failed() {
  return state.failed;
}

// clang-format off
void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
// clang-format on
