#include "coop/core/ring_buffer.hpp"

#include <deque>
#include <random>
#include <vector>

#include "allocations.hpp"
#include "any_catch2.hpp"

TEST_CASE("a ring buffer behaves like a deque", "[step09]") {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    coop::detail::RingBuffer<int> ring;
    std::deque<int> deque;
    std::vector<std::uint32_t> places(2 * 800 + 1);  // of -800 to 800
    const auto place = [&places](int element) -> std::uint32_t& {
      return places[static_cast<std::size_t>(800 + element)];
    };
    unsigned growing = 0;  // in so many of ten times, an element is added
    for (int i = 1; i <= 800; ++i) {
      if (i % 100 == 1) growing = static_cast<unsigned>(1 + random() % 9);
      if (random() % 50 == 0) ring.reserve(deque.size() + random() % 20);
      if (random() % 10 < growing) {
        ring.reserve(ring.size() + 1);
        place(i) = ring.push_back_reserved(i);
        deque.push_back(i);
        place(-i) = ring.push_front(-i);
        deque.push_front(-i);
      } else if (!deque.empty()) {
        REQUIRE(ring.pop_front() == deque.front());
        REQUIRE(ring.at_place(place(deque.front())) == nullptr);
        deque.pop_front();
      }
      REQUIRE(ring.size() == deque.size());
      REQUIRE(ring.empty() == deque.empty());
      for (std::size_t n = 0; n < deque.size(); ++n) {
        if (ring[n] != deque[n]) FAIL("a different element");
        if (ring.at_place(place(deque[n])) != &ring[n]) FAIL("at another place");
      }
    }
  }
}

TEST_CASE("a ring buffer doubles when it is full and allocates nothing otherwise", "[step09]") {
  const std::size_t before = allocations::count();
  coop::detail::RingBuffer<int> ring;
  for (int i = 0; i < 1000; ++i) ring.push_back(i);
  const std::size_t filled = allocations::count();
  for (int i = 0; i < 10000; ++i) ring.push_back(ring.pop_front());
  const std::size_t turned = allocations::count();
  REQUIRE(filled == before + 7);  // for 16, 32, 64, 128, 256, 512 and 1024
  REQUIRE(turned == filled);
}
