#include <any_catch2.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "program.cpp"

namespace {

std::vector<std::string> lines(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (const std::string& line : Lines(in)) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("Lines yields every line of the stream") {
  REQUIRE(lines("a b\n\nc\n") == std::vector<std::string>{"a b", "", "c"});
}

TEST_CASE("Lines yields a last line that has no line end") {
  REQUIRE(lines("a\nb") == std::vector<std::string>{"a", "b"});
}

TEST_CASE("Lines yields nothing when the stream is empty") {
  REQUIRE(lines("").empty());
}

TEST_CASE("Lines reads each line only when it is needed") {
  std::istringstream in("1\n2\n3\n");
  Lines lines(in);
  REQUIRE(in.tellg() == 0);
  REQUIRE(lines.current().value_or("(none)") == "1");
  REQUIRE(in.tellg() == 2);
  lines.next();
  REQUIRE(in.tellg() == 4);
}
