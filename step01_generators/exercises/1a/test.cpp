#include <algorithm>
#include <any_catch2.hpp>
#include <string>
#include <vector>

#include "program.cpp"

namespace {

using Words = std::vector<std::string>;

Words words(Repeat repeat) {
  Words words;
  for (const std::string& word : repeat) words.push_back(word);
  return words;
}

}  // namespace

TEST_CASE("Repeat yields its word the given number of times") {
  REQUIRE(words(Repeat("so", 4)) == Words{"so", "so", "so", "so"});
  REQUIRE(words(Repeat("la", 1)) == Words{"la"});
}

TEST_CASE("Repeat yields nothing when the number is 0") {
  REQUIRE(words(Repeat("la", 0)).empty());
}

TEST_CASE("two generators are independent of each other") {
  Repeat first("a", 2);
  Repeat second("b", 2);
  REQUIRE(first.current().value_or("(none)") == "a");
  REQUIRE(second.current().value_or("(none)") == "b");
  first.next();
  REQUIRE(first.current().value_or("(none)") == "a");
  first.next();
  REQUIRE_FALSE(first.valid());
  second.next();
  REQUIRE(second.current().value_or("(none)") == "b");
}

TEST_CASE("Repeat yields its word a hundred thousand times") {
  const Words many = words(Repeat("la", 100'000));
  REQUIRE(many.size() == 100'000);
  REQUIRE(std::count(many.begin(), many.end(), "la") == 100'000);
}
