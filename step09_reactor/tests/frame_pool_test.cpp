#include "coop/frame_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "allocations.hpp"
#include "world.hpp"

using namespace coop;

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

Coroutine<> spawn_many(int times, int turns, std::size_t* asked) {
  for (int i = 0; i < times; ++i) {
    const Handle<int> task = spawn(give(i, turns));
    co_await wait(*task);
    if (i == 0) *asked = allocations::count();
  }
  *asked = allocations::count() - *asked;
}

}  // namespace

TEST_CASE_METHOD(EmptyPool, "a frame that was given back is used again", "[step09]") {
  void* const first = once(100);
  REQUIRE(once(100) == first);
  REQUIRE(pool_statistics().misses == 1);
  REQUIRE(pool_statistics().hits == 1);
}

TEST_CASE_METHOD(EmptyPool, "frames of about the same size share a class of 16 bytes", "[step09]") {
  void* const first = once(65);
  for (const std::size_t size : {66U, 75U, 79U, 80U}) REQUIRE(once(size) == first);
  REQUIRE(pool_statistics().misses == 1);
  once(64);
  REQUIRE(pool_statistics().misses == 2);
  once(81);
  REQUIRE(pool_statistics().misses == 3);
}

TEST_CASE_METHOD(EmptyPool, "a frame has room for as many bytes as were asked for", "[step09]") {
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

TEST_CASE_METHOD(EmptyPool, "frames of more than 2 KiB are not kept", "[step09]") {
  once(2048);
  once(2048);
  REQUIRE(pool_statistics().misses == 1);
  once(2049);
  once(2049);
  REQUIRE(pool_statistics().misses == 3);
}

TEST_CASE_METHOD(EmptyPool, "the pool counts what is in use", "[step09]") {
  const std::size_t before = pool_statistics().in_use;
  std::vector<void*> frames;
  for (std::size_t i = 1; i <= 10; ++i) {
    frames.push_back(allocate_frame(i == 5 ? 5000 : 200));
    REQUIRE(pool_statistics().in_use == before + i);
  }
  for (std::size_t i = 1; i <= 10; ++i) release_frame(frames[i - 1], i == 5 ? 5000 : 200);
  REQUIRE(pool_statistics().in_use == before);
}

TEST_CASE_METHOD(EmptyPool, "the heap is asked for many frames at once, which stand side by side",
                 "[step09]") {
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

TEST_CASE_METHOD(EmptyPool, "an emptied pool starts from zero", "[step09]") {
  once(100);
  once(100);
  empty_pool();
  REQUIRE(pool_statistics().hits == 0);
  REQUIRE(pool_statistics().misses == 0);
  once(100);
  REQUIRE(pool_statistics().misses == 1);
}

TEST_CASE_METHOD(EmptyPool, "an emptied pool gives its memory back", "[step09]") {
  once(100);
  const std::size_t before = allocations::given_back();
  empty_pool();
  REQUIRE(allocations::given_back() == before + 1);
}

TEST_CASE_METHOD(EmptyPool, "a frame in use outlives the emptying of the pool", "[step09]") {
  auto* const kept = static_cast<unsigned char*>(allocate_frame(100));
  once(100);
  empty_pool();
  kept[99] = 1;  // AddressSanitizer looks
  once(100);
  REQUIRE(pool_statistics().misses == 1);
  release_frame(kept, 100);
  REQUIRE(once(100) == kept);
}

TEST_CASE_METHOD(EmptyPool, "each thread has a pool of its own", "[step09]") {
  once(100);
  PoolStatistics other;
  std::thread thread([&other] {
    once(100);
    other = pool_statistics();
  });
  thread.join();
  REQUIRE(other.misses == 1);
  REQUIRE(other.hits == 0);
  REQUIRE(other.in_use == 0);
  REQUIRE(pool_statistics().misses == 1);
}

TEST_CASE_METHOD(EmptyPool, "each thread asks for 16 KiB at once, unless told", "[step09]") {
  std::size_t misses = 0;
  std::thread thread([&misses] {
    std::vector<void*> frames;
    for (int i = 0; i < 16; ++i) frames.push_back(allocate_frame(1024));
    misses = pool_statistics().misses;
    for (void* const frame : frames) release_frame(frame, 1024);
  });
  thread.join();
  REQUIRE(misses == 1);
}

TEST_CASE_METHOD(EmptyPool, "a frame in use outlives its thread", "[step09]") {
  static std::byte* frame = nullptr;  // for good
  std::thread([] { frame = static_cast<std::byte*>(allocate_frame(100)); }).join();
  frame[99] = std::byte(1);  // AddressSanitizer looks
}

TEST_CASE_METHOD(EmptyPool, "a thread that ends gives its frames back, if none is in use",
                 "[step09]") {
  REQUIRE(given_back_at_end(false) == given_back_at_end(true) + 1);
}

TEST_CASE("frames can be had until the very end of a thread", "[step09]") {
  struct Late {
    ~Late() {
      const std::size_t before = allocations::count();
      once(100);
      *asked = allocations::count() - before;
      empty_pool();
    }
    std::size_t* asked;
  };
  std::size_t asked = 0;
  std::thread([&asked] {
    thread_local const Late behind_the_pool{&asked};
    once(100);
  }).join();
  REQUIRE(asked == 1);
}

TEST_CASE_METHOD(World, "a thousand short calls in a row ask the heap only for the first",
                 "[step09]") {
  std::size_t asked = 0;
  scheduler.run(call_many(1000, &asked));
  REQUIRE(asked == 0);
}

TEST_CASE_METHOD(World, "a thousand short tasks in a row ask the heap only for the first",
                 "[step09]") {
  std::size_t asked = 0;
  scheduler.run(spawn_many(1000, 0, &asked));
  REQUIRE(asked == 0);
  scheduler.run(spawn_many(1000, 2, &asked));
  REQUIRE(asked == 0);
}

TEST_CASE_METHOD(World, "a coroutine that is never started gives its frame back", "[step09]") {
  const std::size_t before = pool_statistics().in_use;
  {
    const Coroutine<> never = say(&log, "never");
    REQUIRE(pool_statistics().in_use == before + 1);
  }
  REQUIRE(pool_statistics().in_use == before);
  REQUIRE(log.empty());
}
