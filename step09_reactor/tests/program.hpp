#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "any_catch2.hpp"
#include "folders.hpp"

// Runs the programs of this step and compares their outputs with the files in expected/. CMake
// writes folders.hpp, which defines the two folders, PROGRAMS and EXPECTED.

/// Returns the content of a file. Fails the test if the file can't be read.
inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  INFO("reading " << path);
  REQUIRE(file);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// Runs a shell command in the folder of the programs. Returns what it prints to stdout. Fails the
/// test if the exit status isn't `status`.
inline std::string output_of(const std::string& command, int status = 0) {
  INFO("running " << command);
  std::FILE* const pipe = ::popen(("cd '" PROGRAMS "' && " + command + " </dev/null").c_str(), "r");
  REQUIRE(pipe);
  std::string output;
  char buffer[65536];
  while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, pipe)) {
    output.append(buffer, size);
  }
  const int result = ::pclose(pipe);
  REQUIRE(WIFEXITED(result));
  REQUIRE(WEXITSTATUS(result) == status);
  return output;
}

/// Returns the number of the first line that differs, with that line of both texts. Returns an
/// empty string if the texts are equal.
inline std::string first_difference(const std::string& expected, const std::string& found) {
  if (expected == found) return "";
  std::istringstream expected_lines(expected), found_lines(found);
  std::string expected_line, found_line;
  for (int number = 1;; ++number) {
    const bool more_expected = static_cast<bool>(std::getline(expected_lines, expected_line));
    const bool more_found = static_cast<bool>(std::getline(found_lines, found_line));
    if (!more_expected && !more_found) return "only the end of the last line differs";
    if (more_expected && more_found && expected_line == found_line) continue;
    return "line " + std::to_string(number) +
           "\n  expected: " + (more_expected ? expected_line : "(the end of the output)") +
           "\n  found:    " + (more_found ? found_line : "(the end of the output)");
  }
}

/// Checks that two outputs are equal, byte for byte. If not, the test fails and shows the first
/// line that differs.
inline void check_equal(const std::string& expected, const std::string& found) {
  const std::string difference = first_difference(expected, found);
  INFO("first difference in " << difference);
  CHECK(difference.empty());
}

/// Returns what a program must print. If this is too large for a file, a recipe prints it, and its
/// hash has been recorded.
inline std::string expected_output(const std::string& program) {
  const std::string path = EXPECTED "/" + program;
  if (std::ifstream(path + ".txt")) return content_of(path + ".txt");
  const std::string made = program + ".expected." + std::to_string(::getpid());
  output_of("sh '" + path + ".make' >" + made);
  CHECK(output_of("cmake -E sha256sum " + made).substr(0, 64) ==
        content_of(path + ".sha256").substr(0, 64));
  const std::string output = content_of(PROGRAMS "/" + made);
  std::remove((PROGRAMS "/" + made).c_str());
  return output;
}

/// Runs a program and checks its output.
inline void check_program(const std::string& program) {
  check_equal(expected_output(program), output_of("./" + program));
}
