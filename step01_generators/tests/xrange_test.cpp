#include "xrange.hpp"

#include <any_catch2.hpp>
#include <cstdlib>
#include <limits>
#include <new>
#include <stdexcept>
#include <vector>

#include "take.hpp"
#include "xrange_by_hand.hpp"

namespace {

long allocations = 0;

using Numbers = std::vector<long long>;

template <typename Source>
Numbers all(Source source) {
  return Numbers(source.begin(), source.end());
}

/// Counts how often it has been asked for a number.
class Asked final : public Generator<int> {
 public:
  explicit Asked(int& times) : times_(times) {}

 private:
  int& times_;

  std::optional<int> resume() override { return ++times_; }
};

}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

TEST_CASE("xrange holds both ends", "[step01]") {
  REQUIRE(all(Xrange(1, 4)) == Numbers{1, 2, 3, 4});
  REQUIRE(all(Xrange(7, 7)) == Numbers{7});
  REQUIRE(all(Xrange(-2, 1)) == Numbers{-2, -1, 0, 1});
}

TEST_CASE("xrange keeps to its step", "[step01]") {
  REQUIRE(all(Xrange(1, 10, 3)) == Numbers{1, 4, 7, 10});
  REQUIRE(all(Xrange(1, 9, 3)) == Numbers{1, 4, 7});
  REQUIRE(all(Xrange(10, 1, -4)) == Numbers{10, 6, 2});
}

TEST_CASE("a step that leads away from the end gives an empty range", "[step01]") {
  REQUIRE(all(Xrange(1, 10, -1)).empty());
  REQUIRE(all(Xrange(10, 1)).empty());
}

TEST_CASE("a step of 0 is an error at once", "[step01]") {
  REQUIRE_THROWS_AS(Xrange(1, 10, 0), std::invalid_argument);
}

TEST_CASE("xrange ends at the limits of int", "[step01]") {
  constexpr int max = std::numeric_limits<int>::max();
  constexpr int min = std::numeric_limits<int>::min();
  REQUIRE(all(Xrange(max - 1, max)) == Numbers{max - 1LL, max});
  REQUIRE(all(Xrange(min + 1, min, -1)) == Numbers{min + 1LL, min});
  REQUIRE(all(Xrange(min, max, max)) == Numbers{min, -1, max - 1LL});
}

TEST_CASE("a million numbers cost no allocation", "[step01]") {
  long long sum = 0;
  const long before = allocations;
  for (const long long number : Xrange(1, 1000000)) sum += number;
  REQUIRE(allocations == before);
  REQUIRE(sum == 500000500000);
  const std::vector<int> counted(1);
  REQUIRE(allocations > before);  // the counter counts
}

TEST_CASE("the iterator by hand gives the same numbers", "[step01]") {
  Numbers numbers;
  XrangeByHand range(3, 6);
  for (range.rewind(); range.valid(); range.next()) {
    REQUIRE(range.key() == static_cast<long long>(numbers.size()));
    numbers.push_back(range.current());
  }
  REQUIRE(numbers == all(Xrange(3, 6)));
}

TEST_CASE("by hand, it stands at its start, and does so again after rewind", "[step01]") {
  XrangeByHand range(3, 6);
  REQUIRE(range.current() == 3);
  range.next();
  range.rewind();
  REQUIRE(range.current() == 3);
  REQUIRE(range.key() == 0);
}

TEST_CASE("take hands out so many and asks for no more", "[step01]") {
  int times = 0;
  REQUIRE(all(Take(Asked(times), 3)) == Numbers{1, 2, 3});
  REQUIRE(times == 3);
}

TEST_CASE("take of 0 or less never runs its source", "[step01]") {
  int times = 0;
  REQUIRE(all(Take(Asked(times), 0)).empty());
  REQUIRE(all(Take(Asked(times), -1)).empty());
  REQUIRE(times == 0);
}

TEST_CASE("take ends where its source ends", "[step01]") {
  REQUIRE(all(Take(Xrange(1, 2), 5)) == Numbers{1, 2});
  REQUIRE(all(Take(Xrange(2, 1), 5)).empty());
}
