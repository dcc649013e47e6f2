#include "options.hpp"

#include <any_catch2.hpp>
#include <string>
#include <vector>

namespace {

/// Are these words of a command line allowed? What they say goes into `options`.
bool read(std::vector<std::string> words, Options& options) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return read_options(argv.data(), options);
}

}  // namespace

TEST_CASE("what is not said stays as it is, and the requests without end", "[step05]") {
  Options options{8000};
  REQUIRE(read({"program"}, options));
  REQUIRE(options.port == 8000);
  REQUIRE(options.requests < 0);
}

TEST_CASE("the least and the greatest of each option are allowed", "[step05]") {
  Options options{8000};
  REQUIRE(read({"program", "--port", "0", "--requests", "1"}, options));
  REQUIRE(options.port == 0);
  REQUIRE(options.requests == 1);
  REQUIRE(read({"program", "--port", "65535", "--requests", "2147483647"}, options));
  REQUIRE(options.port == 65535);
  REQUIRE(options.requests == 2147483647);
}

TEST_CASE("a number that is not allowed changes nothing", "[step05]") {
  Options options{8000};
  for (const char* const number : {"-1", "65536", "99999999999", "80x", "x", ""}) {
    CAPTURE(number);
    REQUIRE_FALSE(read({"program", "--port", number}, options));
    REQUIRE(options.port == 8000);
  }
}
