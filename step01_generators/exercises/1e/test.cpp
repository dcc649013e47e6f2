#include <any_catch2.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>
#include <stdexcept>
#include <vector>

#include "range_for.hpp"
#include "xrange.hpp"

namespace {

std::size_t bytes_left = SIZE_MAX;  // that the operator new may allocate

/// While it exists, the program can allocate only `bytes` more.
struct MemoryLimit {
  explicit MemoryLimit(std::size_t bytes) { bytes_left = bytes; }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;
  ~MemoryLimit() { bytes_left = SIZE_MAX; }
};

}  // namespace

void* operator new(std::size_t size) {
  void* const memory = size <= bytes_left ? std::malloc(size) : nullptr;
  if (!memory) throw std::bad_alloc();
  bytes_left -= size;
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace {

using Numbers = std::vector<int>;

Numbers numbers(Xrange range) {
  Numbers numbers;
  for (const int number : range) numbers.push_back(number);
  return numbers;
}

}  // namespace

TEST_CASE("Xrange counts down when its step is negative") {
  REQUIRE(numbers(Xrange(10, -10, -5)) == Numbers{10, 5, 0, -5, -10});
  REQUIRE(numbers(Xrange(3, 1, -1)) == Numbers{3, 2, 1});
}

TEST_CASE("Xrange yields one number when it starts at the end") {
  REQUIRE(numbers(Xrange(4, 4, -1)) == Numbers{4});
}

TEST_CASE("Xrange yields nothing when it counts down from below the end") {
  REQUIRE(numbers(Xrange(1, 2, -1)).empty());
}

TEST_CASE("Xrange counts up as before") {
  REQUIRE(numbers(Xrange(-1, 1)) == Numbers{-1, 0, 1});
  REQUIRE(numbers(Xrange(0, 8, 3)) == Numbers{0, 3, 6});
}

TEST_CASE("an Xrange of two thousand million numbers needs no memory for them") {
  const int step = GENERATE(1, -1);
  std::optional<int> first, second;
  {
    const MemoryLimit limit(100'000);
    Xrange range(step * -1'000'000'000, step * 1'000'000'000, step);
    first = range.current();
    range.next();
    second = range.current();
  }
  REQUIRE(first == step * -1'000'000'000);
  REQUIRE(second == step * -999'999'999);
}

TEST_CASE("Xrange yields the right numbers when their distance does not fit into an int") {
  const int big = 1'000'000'000;
  REQUIRE(numbers(Xrange(-2 * big, big, big)) == Numbers{-2 * big, -big, 0, big});
  REQUIRE(numbers(Xrange(2 * big, -big, -big)) == Numbers{2 * big, big, 0, -big});
}

TEST_CASE("creating an Xrange with the step 0 throws") {
  REQUIRE_THROWS_AS(Xrange(1, 5, 0), std::invalid_argument);
  REQUIRE_THROWS_AS(Xrange(5, 1, 0), std::invalid_argument);
}
