// Counts the memory that a program holds. tests/trust/servers runs servers with this library in
// LD_PRELOAD, where it takes the place of malloc(). It writes the number of blocks that are in use,
// and the number of their bytes, into the file `held`. Unlike the pages of the process, the blocks
// don't depend on where the heap finds free memory.
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <new>

// These are glibc's own functions, under their other names.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);
}

namespace {

struct Held {
  std::atomic<long long> blocks, bytes;
};

Held held_early{};  // by what runs before the file is open
Held* held = &held_early;

[[gnu::constructor]] void open_file() {
  const int fd = ::open("held", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0 || ::ftruncate(fd, sizeof(Held)) < 0) std::abort();
  void* const file = ::mmap(nullptr, sizeof(Held), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (file == MAP_FAILED) std::abort();
  ::close(fd);
  held = ::new (file) Held{held_early.blocks.load(), held_early.bytes.load()};
}

/// Counts a block that the program gets, or with -1 one that it frees. Returns the block.
void* counted(void* block, int sign = 1) {
  if (!block) return nullptr;
  held->blocks += sign;
  held->bytes += sign * static_cast<long long>(::malloc_usable_size(block));
  return block;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) noexcept {
  return counted(__libc_malloc(size));
}

void* calloc(std::size_t count, std::size_t size) noexcept {
  return counted(__libc_calloc(count, size));
}

void* realloc(void* block, std::size_t size) noexcept {
  return counted(__libc_realloc(counted(block, -1), size));
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return counted(__libc_memalign(alignment, size));
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  *block = counted(__libc_memalign(alignment, size));
  return *block ? 0 : ENOMEM;
}

void free(void* block) noexcept {
  __libc_free(counted(block, -1));
}

}  // extern "C"
