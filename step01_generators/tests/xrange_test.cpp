#include "xrange.hpp"

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include "any_catch2.hpp"
#include "range_for.hpp"
#include "xrange_by_hand.hpp"

namespace {

long allocations = 0;

std::vector<int> all(Xrange range) {
  std::vector<int> numbers;
  for (const int number : range) numbers.push_back(number);
  return numbers;
}

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

TEST_CASE("xrange yields both ends", "[step01]") {
  REQUIRE(all(Xrange(1, 4)) == std::vector<int>{1, 2, 3, 4});
  REQUIRE(all(Xrange(7, 7)) == std::vector<int>{7});
  REQUIRE(all(Xrange(-2, 1)) == std::vector<int>{-2, -1, 0, 1});
}

TEST_CASE("xrange yields no number after its end when the step is greater than 1", "[step01]") {
  REQUIRE(all(Xrange(1, 10, 3)) == std::vector<int>{1, 4, 7, 10});
  REQUIRE(all(Xrange(1, 9, 3)) == std::vector<int>{1, 4, 7});
}

TEST_CASE("xrange is empty when its start is after its end", "[step01]") {
  REQUIRE(all(Xrange(10, 1)).empty());
}

TEST_CASE("a million numbers take no allocation", "[step01]") {
  long long sum = 0;
  const long before = allocations;
  for (const int number : Xrange(1, 1000000)) sum += number;
  REQUIRE(allocations == before);
  REQUIRE(sum == 500000500000);
  REQUIRE_FALSE(all(Xrange(1, 1)).empty());
  REQUIRE(allocations > before);  // the counter works
}

TEST_CASE("the iterator by hand visits the same numbers", "[step01]") {
  std::vector<int> numbers;
  XrangeByHand range(3, 9, 2);
  for (range.rewind(); range.valid(); range.next()) numbers.push_back(range.current());
  REQUIRE(numbers == all(Xrange(3, 9, 2)));
  range.rewind();
  REQUIRE(range.current() == 3);
}
