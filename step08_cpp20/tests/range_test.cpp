#include <algorithm>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "any_catch2.hpp"
#include "generator.hpp"
#include "xrange.hpp"

namespace {

using Numbers = std::vector<long long>;
using Strings = std::vector<std::string>;
using Talk = Generator<std::string, std::string>;

template <std::ranges::input_range Range>
Numbers all(Range&& range) {
  Numbers numbers;
  for (const long long number : range) numbers.push_back(number);
  return numbers;
}

struct Tree {
  Tree(int v, std::unique_ptr<Tree> l, std::unique_ptr<Tree> r)
      : value(v), left(std::move(l)), right(std::move(r)) {}
  int value;
  std::unique_ptr<Tree> left, right;
};

/// The values of a tree, in order. The tree outlives it.
Generator<int> in_order(const Tree* tree) {
  if (tree->left) {
    co_yield in_order(tree->left.get());
  }
  co_yield tree->value;
  if (tree->right) {
    co_yield in_order(tree->right.get());
  }
}

std::unique_ptr<Tree> tree_of(int low, int high) {
  if (low > high) return nullptr;
  const int middle = (low + high) / 2;
  return std::make_unique<Tree>(middle, tree_of(low, middle - 1), tree_of(middle + 1, high));
}

Talk inner(Strings* log) {
  try {
    const std::string sent = co_yield "inner";
    log->push_back("inner got " + sent);
  } catch (const std::exception& e) {
    log->push_back(std::string("inner caught ") + e.what());
  }
  throw std::runtime_error("from inner");
}

Talk outer(Strings* log) {
  std::string sent = co_yield "outer";
  log->push_back("outer got " + sent);
  try {
    co_yield inner(log);
  } catch (const std::exception& e) {
    log->push_back(std::string("outer caught ") + e.what());
  }
  sent = co_yield "last";
  log->push_back("outer got " + sent);
}

}  // namespace

TEST_CASE("a generator is an input range, and works with views", "[step08]") {
  STATIC_REQUIRE(std::ranges::input_range<Generator<int>>);
  STATIC_REQUIRE(std::ranges::viewable_range<Generator<int>>);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<Generator<int>>);
  const auto odd = [](long long n) { return n % 2 == 1; };
  const auto square = [](long long n) { return n * n; };
  REQUIRE(all(xrange(1, 100) | std::views::filter(odd) | std::views::transform(square) |
              std::views::take(3)) == Numbers{1, 9, 25});
  Numbers copied;
  std::ranges::copy(xrange(3, 1, -1), std::back_inserter(copied));
  REQUIRE(copied == Numbers{3, 2, 1});
}

TEST_CASE("an iterator reaches into the value", "[step08]") {
  const auto words = []() -> Generator<std::string> { co_yield "four"; };
  Generator<std::string> generator = words();
  REQUIRE(generator.begin()->size() == 4);
}

TEST_CASE("xrange counts as in step 1, and checks its step when it is called", "[step08]") {
  REQUIRE(all(xrange(1, 3)) == Numbers{1, 2, 3});
  REQUIRE(all(xrange(5, 1, -2)) == Numbers{5, 3, 1});
  REQUIRE(all(xrange(1, 0)).empty());
  REQUIRE(all(xrange(2147483646, 2147483647)) == Numbers{2147483646, 2147483647});
  REQUIRE_THROWS_WITH(xrange(1, 2, 0), "xrange: the step must not be 0");
}

TEST_CASE("a generator that has been moved goes on in its new place", "[step08]") {
  Generator<long long> first = xrange(1, 3);
  REQUIRE(first.current() == 1);
  Generator<long long> second = std::move(first);
  second.next();
  REQUIRE(second.current() == 2);
  REQUIRE_THROWS_WITH(first.current(), "This generator has been moved away");
  REQUIRE_THROWS_AS(first.begin(), std::logic_error);
  first = std::move(second);
  REQUIRE(first.current() == 2);
  REQUIRE_THROWS_WITH(first.begin(), "Cannot rewind a generator that was already run");
}

TEST_CASE("a generator hands out the values of another one, at any depth", "[step08]") {
  const auto tree = tree_of(1, 1000);
  int expected = 0;
  for (const int value : in_order(tree.get())) REQUIRE(value == ++expected);
  REQUIRE(expected == 1000);
}

TEST_CASE("what is sent to a generator goes to the innermost, an exception comes back through all",
          "[step08]") {
  Strings log;
  Talk talk = outer(&log);
  REQUIRE(talk.current() == "outer");
  REQUIRE(talk.send("a") == "inner");
  SECTION("sent") {
    REQUIRE(talk.send("b") == "last");
    REQUIRE(log == Strings{"outer got a", "inner got b", "outer caught from inner"});
  }
  SECTION("thrown") {
    const auto error = std::make_exception_ptr(std::runtime_error("b"));
    REQUIRE(talk.throw_into(error) == "last");
    REQUIRE(log == Strings{"outer got a", "inner caught b", "outer caught from inner"});
  }
  REQUIRE(talk.send("c") == std::nullopt);
  REQUIRE(log.back() == "outer got c");
}

TEST_CASE("a generator that was started, or moved away, cannot be handed out", "[step08]") {
  Strings log;
  const auto hand_out = [](Generator<long long>* other, Strings* out) -> Generator<long long> {
    try {
      co_yield std::move(*other);
    } catch (const std::logic_error& e) {
      out->push_back(e.what());
    }
  };
  Generator<long long> started = xrange(1, 3);
  started.rewind();
  REQUIRE(all(hand_out(&started, &log)).empty());
  Generator<long long> fresh = xrange(1, 3);
  REQUIRE(all(hand_out(&fresh, &log)) == Numbers{1, 2, 3});
  REQUIRE(all(hand_out(&fresh, &log)).empty());
  REQUIRE(log == Strings{"Cannot call a generator that was started",
                         "This generator has been moved away"});
}

TEST_CASE("a body that hands out itself gets an exception, and goes on", "[step08]") {
  const auto body = [](Generator<int>** self) -> Generator<int> {
    try {
      co_yield std::move(**self);
    } catch (const std::logic_error&) {
    }
    co_yield 2;
  };
  Generator<int>* self = nullptr;
  Generator<int> generator = body(&self);
  self = &generator;
  REQUIRE(generator.current() == 2);
}

TEST_CASE("handing out another generator gives nothing back", "[step08]") {
  const auto outer = [](int* got) -> Generator<int, int> {
    const auto inner = [](int) -> Generator<int, int> { co_yield 1; };
    *got = co_yield inner(0);
  };
  int got = -1;
  Generator<int, int> generator = outer(&got);
  REQUIRE(generator.current() == 1);
  REQUIRE(generator.send(7) == std::nullopt);
  REQUIRE(got == 0);
}

TEST_CASE("a generator cannot be used while it is destroyed", "[step08]") {
  Generator<int>* self = nullptr;
  std::string heard;
  struct AtEnd {
    Generator<int>* const* generator;
    std::string* heard;
    ~AtEnd() {
      try {
        (*generator)->next();
      } catch (const std::logic_error& error) {
        *heard = error.what();
      }
    }
  };
  const auto body = [](Generator<int>* const* generator, std::string* said) -> Generator<int> {
    const AtEnd at_end{generator, said};
    co_yield 1;
    co_yield 2;
  };
  {
    Generator<int> generator = body(&self, &heard);
    self = &generator;
    REQUIRE(generator.current() == 1);
  }
  REQUIRE(heard == "Cannot resume an already running generator");
}

TEST_CASE("an exception before the first yield finishes the generator and reaches its user",
          "[step08]") {
  const auto failing = []() -> Generator<int> {
    throw std::runtime_error("at once");
    co_yield 1;
  };
  Generator<int> generator = failing();
  REQUIRE_THROWS_WITH(generator.rewind(), "at once");
  REQUIRE_FALSE(generator.valid());
}
