#include <any_catch2.hpp>
#include <ctime>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "generator.hpp"
#include "tournament.hpp"

namespace {

using List = std::vector<std::string>;

/// Yields 1, 2, and so on to `last`, and counts its resumes.
class Numbers final : public Generator<int> {
 public:
  Numbers(int last, int& resumes) : last_(last), resumes_(resumes) {}

 private:
  int last_, i_ = 0;
  int& resumes_;

  std::optional<int> resume() override {
    ++resumes_;
    if (i_ == last_) return std::nullopt;
    return ++i_;
  }
};

/// An exception that no library throws.
struct Broken {
  int number;
};

/// Yields twice, and then throws.
class Breaking final : public Generator<std::string> {
 public:
  explicit Breaking(int& resumes) : resumes_(resumes) {}

 private:
  int& resumes_;

  std::optional<std::string> resume() override {
    if (++resumes_ > 2) throw Broken{resumes_};
    return "value";
  }
};

/// Returns the current value, or "nothing" after the end.
std::string shown(Tournament& tournament) {
  return tournament.current().value_or("nothing");
}

/// Returns the values of the tournament up to its end, or the first 20 of a body that never ends.
List first_20(Tournament& tournament) {
  List list;
  for (; tournament.valid() && list.size() < 20; tournament.next())
    list.push_back(shown(tournament));
  return list;
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

}  // namespace

TEST_CASE("creating a generator runs nothing") {
  int resumes = 0;
  Numbers numbers(3, resumes);
  REQUIRE(resumes == 0);
}

TEST_CASE("current(), valid() and rewind() run a new body to its first yield, and no further") {
  int resumes = 0;
  Numbers a(3, resumes), b(3, resumes), c(3, resumes);
  REQUIRE(*a.current() == 1);
  REQUIRE(resumes == 1);
  REQUIRE(b.valid());
  REQUIRE(resumes == 2);
  c.rewind();
  REQUIRE(resumes == 3);
  REQUIRE((*a.current() == 1 && *b.current() == 1 && *c.current() == 1));
  REQUIRE((a.valid() && b.valid() && c.valid()));
  REQUIRE(resumes == 3);
}

TEST_CASE("next() on a new generator goes to the second yield") {
  int resumes = 0;
  Numbers numbers(3, resumes);
  numbers.next();
  REQUIRE(resumes == 2);
  REQUIRE(*numbers.current() == 2);
}

TEST_CASE("a loop over three values resumes the body four times") {
  int resumes = 0;
  Numbers numbers(3, resumes);
  List seen;
  for (numbers.rewind(); numbers.valid(); numbers.next())
    seen.push_back(std::to_string(*numbers.current()));
  REQUIRE(seen == List{"1", "2", "3"});
  REQUIRE(resumes == 4);
}

TEST_CASE("a body that has finished is not resumed again") {
  int resumes = 0;
  Numbers numbers(1, resumes);
  for (int i = 0; i < 5; ++i) numbers.next();
  REQUIRE_FALSE(numbers.valid());
  REQUIRE_FALSE(numbers.current().has_value());
  [](auto&& current) {
    if constexpr (std::is_assignable_v<decltype(current), int>) current = 7;
  }(numbers.current());
  numbers.next();
  REQUIRE_FALSE(numbers.valid());
  REQUIRE(resumes == 2);
}

TEST_CASE("a body without a yield is resumed once") {
  int resumes = 0;
  Numbers numbers(0, resumes);
  REQUIRE_FALSE(numbers.valid());
  numbers.next();
  REQUIRE_FALSE(numbers.current().has_value());
  REQUIRE(resumes == 1);
}

TEST_CASE("rewind() does nothing at the first yield, and throws std::logic_error after it") {
  int resumes = 0;
  Numbers numbers(3, resumes);
  numbers.rewind();
  numbers.rewind();
  REQUIRE(*numbers.current() == 1);
  numbers.next();
  REQUIRE_THROWS_AS(numbers.rewind(), std::logic_error);
  REQUIRE(*numbers.current() == 2);
  REQUIRE(resumes == 2);
}

TEST_CASE("two bodies with 100 000 yields take turns, and each is resumed 100 001 times") {
  int of_a = 0, of_b = 0;
  Numbers a(100000, of_a), b(100000, of_b);
  long long sum = 0;
  while (a.valid() && of_a <= 100001) {
    sum += *a.current() - 2LL * b.current().value_or(0);
    a.next();
    b.next();
  }
  REQUIRE(sum == -5000050000);
  REQUIRE(of_a == 100001);
  REQUIRE(of_b == 100001);
}

TEST_CASE("a tournament of three has six matches and three breaks") {
  Tournament three(3);
  REQUIRE(first_20(three) ==
          List{"1-2", "1-3", "break", "2-1", "2-3", "break", "3-1", "3-2", "break"});
}

TEST_CASE("a tournament of one has only a break, and that of nobody has nothing") {
  Tournament one(1), nobody(0);
  REQUIRE(first_20(one) == List{"break"});
  REQUIRE(first_20(nobody).empty());
}

TEST_CASE("two tournaments that take turns do not disturb each other") {
  Tournament two(2), three(3);
  List seen;
  for (int i = 0; i < 4; ++i) {
    seen.push_back(shown(two) + " and " + shown(three));
    two.next();
    three.next();
  }
  REQUIRE(seen == List{"1-2 and 1-2", "break and 1-3", "2-1 and break", "break and 2-1"});
  REQUIRE(shown(two) == "nothing");
  REQUIRE(shown(three) == "2-3");
}

TEST_CASE("a tournament of 317 has 100 489 matches and breaks") {
  Tournament many(317);
  int count = 0;
  std::string last_match, last;
  for (; many.valid() && count < 200000; many.next(), ++count)
    last_match = std::exchange(last, shown(many));
  REQUIRE(count == 100489);
  REQUIRE(last_match == "317-316");
  REQUIRE(last == "break");
}

TEST_CASE("of 2000 players, only the matches that the caller asks for are computed") {
  Tournament large(2000);
  const double before = cpu_seconds();
  for (int i = 0; i < 4; ++i) large.next();
  const double used = cpu_seconds() - before;
  REQUIRE(shown(large) == "1-6");
  REQUIRE(used < 0.1);  // seconds; the whole list of four million takes longer
}

TEST_CASE("an exception of the body reaches the caller, and the body has finished") {
  int resumes = 0;
  Breaking breaking(resumes);
  breaking.next();
  try {
    breaking.next();
    FAIL("next() has returned");
  } catch (const Broken& broken) {
    REQUIRE(broken.number == 3);
  }
  INFO("the body has thrown, so it has finished: valid() is false, and current() is empty");
  REQUIRE_FALSE(breaking.valid());
  REQUIRE_FALSE(breaking.current().has_value());
  breaking.next();
  REQUIRE(resumes == 3);
}
