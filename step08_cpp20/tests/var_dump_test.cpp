#include "var_dump.hpp"

#include <iostream>
#include <sstream>

#include "any_catch2.hpp"

namespace {

template <typename Value>
std::string dumped(const Value& value) {
  std::ostringstream text;
  std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
  var_dump(value);
  std::cout.rdbuf(before);
  return text.str();
}

}  // namespace

TEST_CASE("var_dump prints a value as PHP does", "[step08]") {
  REQUIRE(dumped(std::optional<std::string>("foo")) == "string(3) \"foo\"\n");
  REQUIRE(dumped(std::optional<std::string>()) == "NULL\n");
  REQUIRE(dumped("a literal") == "string(9) \"a literal\"\n");
  REQUIRE(dumped(true) == "bool(true)\n");
  REQUIRE(dumped(false) == "bool(false)\n");
}
