#include <any_catch2.hpp>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "program.cpp"

namespace {

/// Returns what a logger prints when it receives these messages.
std::string printed(const std::string& name, const std::vector<Message>& messages) {
  std::ostringstream text;
  std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
  Logger logger(name);
  for (const Message& message : messages) logger.send(message);
  std::cout.rdbuf(before);
  return text.str();
}

}  // namespace

TEST_CASE("a logger prints each line after its name") {
  REQUIRE(printed("x", {Line{"one"}, Line{""}}) == "x: one\nx: \n");
}

TEST_CASE("a logger that gets a new name is closed and opened, and keeps the name") {
  REQUIRE(printed("a", {NewName{"b"}, Line{"1"}, Line{"2"}}) ==
          "a: closed\nb: opened\nb: 1\nb: 2\n");
}

TEST_CASE("a logger can get a new name many times") {
  REQUIRE(printed("a", {NewName{"b"}, NewName{"c"}, Line{"1"}, NewName{"a"}, Line{"2"}}) ==
          "a: closed\nb: opened\nb: closed\nc: opened\nc: 1\nc: closed\na: opened\na: 2\n");
}
