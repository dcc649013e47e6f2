#include "coop/ring_buffer.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "allocations.hpp"
#include "any_catch2.hpp"

using coop::RingBuffer;

namespace {

/// A RingBuffer and what it shall be like.
struct Twins {
  RingBuffer<int> ring;
  std::deque<int> deque;
  int next = 0;

  void push_back() {
    ring.push_back(next);
    deque.push_back(next++);
  }

  void push_front() {
    ring.push_front(next);
    deque.push_front(next++);
  }

  bool pop_front() {
    if (deque.empty()) return ring.empty();
    const int expected = deque.front();
    deque.pop_front();
    return ring.pop_front() == expected;
  }

  bool are_equal() {
    if (ring.size() != deque.size() || ring.empty() != deque.empty()) return false;
    for (std::size_t i = 0; i < deque.size(); ++i) {
      if (ring[i] != deque[i]) return false;
    }
    return true;
  }

  /// Does something by chance. `growing` in ten times it puts something in.
  bool step(std::mt19937& random, unsigned growing) {
    if (random() % 50 == 0) ring.reserve(deque.size() + random() % 20);
    if (random() % 10 >= growing) return pop_front();
    if (random() % 2 == 0) {
      push_back();
    } else {
      push_front();
    }
    return true;
  }
};

bool is_like_a_deque(unsigned seed) {
  std::mt19937 random(seed);
  Twins twins;
  for (int phase = 0; phase < 8; ++phase) {
    const auto growing = static_cast<unsigned>(1 + random() % 9);
    for (int i = 0; i < 100; ++i) {
      if (!twins.step(random, growing) || !twins.are_equal()) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("whatever is done to a ring buffer, it is like a deque", "[step09]") {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    REQUIRE(is_like_a_deque(seed));
  }
}

TEST_CASE("a ring buffer starts empty", "[step09]") {
  const RingBuffer<int> ring;
  REQUIRE(ring.empty());
  REQUIRE(ring.size() == 0);
}

TEST_CASE("the front of a ring buffer goes around the end of its slots", "[step09]") {
  Twins twins;
  for (int i = 0; i < 5; ++i) twins.push_front();  // slot 0 is the first that was free
  REQUIRE(twins.are_equal());
  for (int i = 0; i < 8; ++i) twins.push_back();
  REQUIRE(twins.are_equal());
  for (int i = 0; i < 13; ++i) REQUIRE(twins.pop_front());
  REQUIRE(twins.ring.empty());
}

TEST_CASE("a ring buffer that is full grows, wherever its front is", "[step09]") {
  for (int front = 0; front < 16; ++front) {
    Twins twins;
    for (int i = 0; i < front; ++i) {
      twins.push_back();
      REQUIRE(twins.pop_front());
    }
    for (int i = 0; i < 16; ++i) twins.push_back();
    twins.push_front();
    REQUIRE(twins.are_equal());
    for (int i = 0; i < 16; ++i) twins.push_front();
    REQUIRE(twins.are_equal());
  }
}

TEST_CASE("a ring buffer in steady state allocates nothing", "[step09]") {
  RingBuffer<int> ring;
  ring.push_back(0);
  const std::size_t before = allocations::count();
  for (int i = 1; i < 100000; ++i) {
    ring.push_back(i);
    if (ring.pop_front() != i - 1) FAIL("not the first one");
  }
  REQUIRE(allocations::count() == before);
}

TEST_CASE("where room was reserved, nothing is allocated, at either end", "[step09]") {
  RingBuffer<int> ring;
  ring.push_back(0);
  ring.reserve(1000);
  const std::size_t before = allocations::count();
  for (int i = 1; i < 1000; ++i) {
    if (i % 3 == 0) {
      ring.push_back(i);
    } else {
      ring.push_front(i);
    }
  }
  REQUIRE(allocations::count() == before);
  REQUIRE(ring.size() == 1000);
  ring.reserve(10);
  REQUIRE(allocations::count() == before);
}

TEST_CASE("where there is as much room as is asked for, nothing is allocated", "[step09]") {
  RingBuffer<int> ring;
  for (int i = 0; i < 1024; ++i) ring.push_back(i);  // that is a power of two, so it is full
  const std::size_t before = allocations::count();
  ring.reserve(1024);
  REQUIRE(allocations::count() == before);
}

TEST_CASE("a ring buffer holds what can only be moved, and lets go of it when it is taken out",
          "[step09]") {
  RingBuffer<std::unique_ptr<std::string>> ring;
  for (int i = 0; i < 40; ++i) {
    ring.push_back(std::make_unique<std::string>(std::to_string(i)));
  }
  for (int i = 0; i < 40; ++i) REQUIRE(*ring.pop_front() == std::to_string(i));

  RingBuffer<std::shared_ptr<int>> shared;
  const auto value = std::make_shared<int>(1);
  shared.push_back(value);
  shared.push_front(value);
  REQUIRE(value.use_count() == 3);
  shared.pop_front();
  REQUIRE(value.use_count() == 2);
  shared.pop_front();
  REQUIRE(value.use_count() == 1);
}

TEST_CASE("a ring buffer lets go of what is in it when it is destroyed", "[step09]") {
  const auto value = std::make_shared<int>(1);
  {
    RingBuffer<std::shared_ptr<int>> ring;
    for (int i = 0; i < 20; ++i) ring.push_front(value);
    REQUIRE(value.use_count() == 21);
  }
  REQUIRE(value.use_count() == 1);
}
