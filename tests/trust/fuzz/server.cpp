// Runs a whole server program of step 7, 8 or 9. The input decides how many clients there are, what
// each of them sends and in which pieces, when it reads and how it ends, which system calls of the
// server fail, and when the server is asked to end. In all cases, the server must end and close all
// connections, and each client must get the right response.
//
// The connections are Unix sockets. The clients act only while the server polls, and the clock
// moves only if nothing else can happen: see system_calls.cpp. So a run depends only on its input.
#include <unistd.h>

#include <iostream>
#include <sstream>

#include "visit.hpp"
#include "wrong.hpp"

#if __has_include(<coop/core/frame_pool.hpp>)  // in step 9
#include <coop/core/frame_pool.hpp>
#endif

/// The main() of the server, which gets this name because libFuzzer has its own main().
extern "C" int server_main(int count, char** words);

/// The end of a pipe that a server of step 7 or 8 leaves open until its process ends.
extern int stop_pipe __attribute__((weak));

namespace {

/// Checks the lines on stderr. Only the task that stops the server may fail, if it can't accept.
void check_errors(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 21, "Task 2 failed: accept") != 0) wrong(line.c_str());
  }
}

void run_server(const unsigned char* data, std::size_t size) {
  std::ostringstream errors;
  std::cerr.rdbuf(errors.rdbuf());
  FuzzedDataProvider choices(data, size);
  Visit visit(choices);
  std::string name = "server", port = "0";
  char* words[] = {name.data(), port.data(), nullptr};
  if (server_main(2, words) != 0) wrong("the server failed");
  if (&stop_pipe) ::close(stop_pipe);
  visit.check();
  check_errors(errors.str());
  std::cerr.rdbuf(nullptr);
#if __has_include(<coop/core/frame_pool.hpp>)
  if (coop::detail::pool_statistics().in_use != 0) wrong("a frame was not destroyed");
#endif
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  std::cout.rdbuf(nullptr);
  run_server(nullptr, 0);  // libuv opens some descriptors once
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const SameDescriptors same_descriptors;
  run_server(data, size);
  return 0;
}
