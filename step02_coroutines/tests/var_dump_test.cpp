#include "var_dump.hpp"

#include <cstddef>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>

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

TEST_CASE("var_dump prints a value in the form of PHP", "[step02]") {
  REQUIRE(dumped(std::optional<std::string>("foo")) == "string(3) \"foo\"\n");
  REQUIRE(dumped(std::optional<std::string>()) == "NULL\n");
  REQUIRE(dumped(std::string("bar")) == "string(3) \"bar\"\n");
  REQUIRE(dumped(true) == "bool(true)\n");
  REQUIRE(dumped(false) == "bool(false)\n");
}

TEST_CASE("var_dump does not turn a text, a number or a pointer into a bool", "[step02]") {
  const auto dump = [](const auto& value) -> decltype(var_dump(value)) { var_dump(value); };
  STATIC_REQUIRE(std::is_invocable_v<decltype(dump), bool>);
  STATIC_REQUIRE_FALSE(std::is_invocable_v<decltype(dump), const char(&)[5]>);
  STATIC_REQUIRE_FALSE(std::is_invocable_v<decltype(dump), const char*>);
  STATIC_REQUIRE_FALSE(std::is_invocable_v<decltype(dump), std::string*>);
  STATIC_REQUIRE_FALSE(std::is_invocable_v<decltype(dump), std::nullptr_t>);
  STATIC_REQUIRE_FALSE(std::is_invocable_v<decltype(dump), int>);
  STATIC_REQUIRE_FALSE(std::is_invocable_v<decltype(dump), char>);
  STATIC_REQUIRE_FALSE(std::is_invocable_v<decltype(dump), unsigned long>);
  STATIC_REQUIRE_FALSE(std::is_invocable_v<decltype(dump), double>);
}
