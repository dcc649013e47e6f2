#pragma once

#include <functional>
#include <string>
#include <vector>

#include "any_catch2.hpp"
#include "folders.hpp"
#include "server_process.hpp"
#include "uv_files.hpp"

// For tests that start the programs of this step.

using Words = std::vector<std::string>;

inline const char* const copy_file = PROGRAMS "/copy_file";
inline const char* const fetch_all = PROGRAMS "/fetch_all";
inline const char* const run_many = PROGRAMS "/run_many";
inline const char* const tail = PROGRAMS "/tail";

/// What the program gets as its standard input or output.
inline void redirect(const std::string& path, int flags, int descriptor) {
  const int opened = ::open(path.c_str(), flags, 0600);
  if (opened == descriptor) return;
  ::dup2(opened, descriptor);
  ::close(opened);
}

inline std::function<void()> from(const std::string& path) {
  return [path] { redirect(path, O_RDONLY, 0); };
}

inline std::function<void()> from_to(const std::string& in, const std::string& out) {
  return [in, out] {
    redirect(in, O_RDONLY, 0);
    redirect(out, O_WRONLY | O_CREAT, 1);
  };
}

inline void write_file(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

inline void grow(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::app) << content;
}

inline std::string errors_of(const ServerProcess& process) {
  std::string all;
  for (std::string line = process.error_line(); !line.empty(); line = process.error_line()) {
    all += line + "\n";
  }
  return all;
}

/// It says one line on stderr, and ends with that status.
inline void refuses(const char* program, const Words& words, const std::string& line,
                    int status = 1, const std::function<void()>& prepare = from("/dev/null")) {
  CAPTURE(program, words);
  ServerProcess process(program, words, prepare);
  REQUIRE(errors_of(process) == line + "\n");
  REQUIRE(process.wait() == status);
}
