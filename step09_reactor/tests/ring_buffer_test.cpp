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

TEST_CASE("a ring buffer behaves like a deque", "[step09]") {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    REQUIRE(is_like_a_deque(seed));
  }
}
