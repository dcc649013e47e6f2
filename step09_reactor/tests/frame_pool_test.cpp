#include "coop/core/frame_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "allocations.hpp"
#include "world.hpp"

using namespace coop;
using namespace coop::detail;

namespace {

class EmptyPool : public NothingLeft {
 public:
  EmptyPool() { empty_pool(); }
  ~EmptyPool() { empty_pool(); }
};

/// Gives back what of that size it gets.
void* once(std::size_t size) {
  void* const frame = allocate_frame(size);
  release_frame(frame, size);
  return frame;
}

/// How often a thread that got one frame gives memory back when it ends.
std::size_t given_back_at_end(bool in_use) {
  struct End {
    ~End() { *count = allocations::given_back() - before; }
    std::size_t* count;
    std::size_t before = allocations::given_back();
  };
  std::size_t count = 0;
  [[maybe_unused]] static void* kept;  // for good
  std::thread thread([&] {
    thread_local const End end{&count};
    set_pool_block(0);
    void* const frame = allocate_frame(100);
    if (in_use) {
      kept = frame;
    } else {
      release_frame(frame, 100);
    }
  });
  thread.join();
  return count;
}

/// Awaits as many that return at once, and notes how often the heap was asked after the first.
Coroutine<> call_many(int times, std::size_t* asked) {
  for (int i = 0; i < times; ++i) {
    const int value = co_await give(i);
    if (value == 0) *asked = allocations::count();
  }
  *asked = allocations::count() - *asked;
}

Coroutine<> count_frames(std::size_t* count) {
  *count = pool_statistics().in_use;
  co_return;
}

/// Notes the address of a variable that needs the largest alignment, and is in the frame.
Coroutine<> remember_aligned(char first, std::vector<std::uintptr_t>* addresses) {
  std::max_align_t aligned{};
  std::memset(&aligned, first, sizeof(aligned));
  addresses->push_back(reinterpret_cast<std::uintptr_t>(&aligned));
  co_await yield();
  REQUIRE(*reinterpret_cast<const char*>(&aligned) == first);
}

Coroutine<> spawn_many(int times, int turns, std::size_t* asked) {
  for (int i = 0; i < times; ++i) {
    const Handle<int> task = spawn(give(i, turns));
    co_await *task;
    if (i == 0) *asked = allocations::count();
  }
  *asked = allocations::count() - *asked;
}

}  // namespace

TEST_CASE_METHOD(EmptyPool, "a released frame is used again", "[step09]") {
  void* const first = once(100);
  REQUIRE(once(100) == first);
  REQUIRE(pool_statistics().misses == 1);
}

TEST_CASE_METHOD(EmptyPool, "any number of released frames is kept", "[step09]") {
  std::vector<void*> frames(1000);
  for (int round = 0; round < 2; ++round) {
    for (void*& frame : frames) frame = allocate_frame(100);
    for (void* const frame : frames) release_frame(frame, 100);
  }
  REQUIRE(pool_statistics().misses == 1000);
}

TEST_CASE_METHOD(EmptyPool, "only frames of at most 2 KiB are kept", "[step09]") {
  for (int i = 0; i < 3; ++i) once(2048);
  REQUIRE(pool_statistics().misses == 1);
  const std::size_t before = allocations::given_back();
  for (int i = 0; i < 3; ++i) once(2049);
  const std::size_t after = allocations::given_back();
  REQUIRE(after == before + 3);
  REQUIRE(pool_statistics().misses == 1 + 3);
}

TEST_CASE_METHOD(EmptyPool, "a frame has the size that was requested", "[step09]") {
  for (std::size_t size = 1; size <= 2200; ++size) {
    std::vector<unsigned char*> frames;
    for (int i = 0; i < 3; ++i) {
      frames.push_back(static_cast<unsigned char*>(allocate_frame(size)));
      std::fill_n(frames.back(), size, static_cast<unsigned char>(i));
    }
    for (std::size_t i = 0; i < 3; ++i) {
      REQUIRE(std::count(frames[i], frames[i] + size, i) == static_cast<std::ptrdiff_t>(size));
      release_frame(frames[i], size);
    }
  }
}

TEST_CASE_METHOD(EmptyPool, "frames of one block are side by side", "[step09]") {
  set_pool_block(16384);
  std::vector<char*> frames;
  const std::size_t many = 16384 / 112;
  for (std::size_t i = 0; i < many; ++i) frames.push_back(static_cast<char*>(allocate_frame(112)));
  REQUIRE(pool_statistics().misses == 1);
  for (std::size_t i = 1; i < many; ++i) REQUIRE(frames[i] == frames[i - 1] + 112);
  frames.push_back(static_cast<char*>(allocate_frame(112)));
  REQUIRE(pool_statistics().misses == 2);
  set_pool_block(0);
  for (char* const frame : frames) release_frame(frame, 112);
}

TEST_CASE_METHOD(EmptyPool, "a frame takes its size, rounded up to eight bytes", "[step09]") {
  set_pool_block(16384);
  for (const std::size_t size : {8u, 81u, 88u, 152u}) {
    char* const first = static_cast<char*>(allocate_frame(size));
    char* const second = static_cast<char*>(allocate_frame(size));
    REQUIRE(second - first == static_cast<std::ptrdiff_t>((size + 7) / 8 * 8));
    release_frame(second, size);
    release_frame(first, size);
  }
  set_pool_block(0);
}

TEST_CASE("what each task and each wait takes stays small", "[step09]") {
  constexpr std::size_t word = 8;
  REQUIRE(sizeof(Task) <= 12 * word);
  REQUIRE(sizeof(Promise) <= 4 * word);
  REQUIRE(sizeof(EventAwaiter) <= 8 * word);
}

TEST_CASE_METHOD(EmptyPool, "a frame has the alignment of its variables", "[step09]") {
  set_pool_block(16384);
  std::vector<std::uintptr_t> addresses;
  {
    FakeReactor reactor;
    Scheduler scheduler(reactor);
    for (char i = 0; i < 3; ++i) scheduler.spawn(remember_aligned(i, &addresses));
    scheduler.run();
  }
  set_pool_block(0);
  REQUIRE(addresses.size() == 3);
  for (const std::uintptr_t address : addresses) REQUIRE(address % alignof(std::max_align_t) == 0);
}

TEST_CASE_METHOD(EmptyPool, "a frame in use stays valid when its thread ends", "[step09]") {
  static std::byte* frame = nullptr;  // for good
  std::thread([] { frame = static_cast<std::byte*>(allocate_frame(100)); }).join();
  frame[99] = std::byte(1);  // AddressSanitizer looks
}

TEST_CASE_METHOD(EmptyPool, "a thread that ends returns its frames", "[step09]") {
  REQUIRE(given_back_at_end(false) == given_back_at_end(true) + 1);
}

TEST_CASE_METHOD(World, "a thousand short calls in a row allocate only for the first call",
                 "[step09]") {
  std::size_t asked = 0;
  scheduler.run(call_many(1000, &asked));
  REQUIRE(asked == 0);
}

TEST_CASE_METHOD(World, "a thousand short tasks in a row allocate only for the first task",
                 "[step09]") {
  std::size_t asked = 0;
  scheduler.run(spawn_many(1000, 0, &asked));
  REQUIRE(asked == 0);
  scheduler.run(spawn_many(1000, 2, &asked));
  REQUIRE(asked == 0);
}

TEST_CASE_METHOD(World, "each call has a frame of its own", "[step09]") {
  std::size_t outside = 0, inside = 0;
  scheduler.run([](std::size_t* caller, std::size_t* callee) -> Coroutine<> {
    *caller = pool_statistics().in_use;
    co_await count_frames(callee);
  }(&outside, &inside));
  REQUIRE(inside == outside + 1);
}

TEST_CASE_METHOD(World, "a coroutine that never starts releases its frame", "[step09]") {
  const std::size_t before = pool_statistics().in_use;
  {
    const Coroutine<> never = say(&log, "never");
    REQUIRE(pool_statistics().in_use == before + 1);
  }
  REQUIRE(pool_statistics().in_use == before);
  REQUIRE(log.empty());
}
