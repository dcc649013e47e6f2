// Runs a whole server program of step 7 or 8 on a network that takes all decisions from the input:
// how many clients there are, what each of them sends and in which pieces, when it takes data and
// how it ends, which system calls fail, and when the server is asked to end. In all cases, the
// server must end and close all connections, and each client must get the right response.
#include <csignal>
#include <ctime>
#include <iostream>
#include <sstream>

#include "network.hpp"
#include "responses.hpp"
#include "wrong.hpp"

extern "C" int server_main(int count, char** words);  // see server_main.hpp

namespace {

/// Blocks no signal after its end, and leaves none pending: a server of step 7 blocks SIGTERM, and
/// doesn't take it out of the queue.
class SameSignals {
 public:
  SameSignals() { ::pthread_sigmask(SIG_SETMASK, nullptr, &before_); }
  SameSignals(const SameSignals&) = delete;
  ~SameSignals() {
    sigset_t stop;
    ::sigemptyset(&stop);
    ::sigaddset(&stop, SIGTERM);
    const timespec now{};
    while (::sigtimedwait(&stop, nullptr, &now) > 0) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t before_;
};

void check(const Peer& peer, bool was_stopped) {
  if (!peer.is_accepted && !was_stopped) wrong("a client was not accepted");
  if (!peer.is_accepted) return;
  if (!peer.is_closed) wrong("a connection was not closed");
  const bool takes_all = !peer.is_deaf && !peer.is_reset();
  if (is_right(peer, takes_all, was_stopped)) return;
  std::fprintf(stderr, "read:\n%s\nreceived:\n%s\n", peer.read().c_str(), peer.received.c_str());
  wrong("not the right response");
}

/// Checks the lines on stderr. Only the task that stops the server may fail, if it can't accept.
void check_errors(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 21, "Task 2 failed: accept") != 0) wrong(line.c_str());
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  std::cout.rdbuf(nullptr);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const SameDescriptors same_descriptors;
  const SameSignals same_signals;
  std::ostringstream errors;
  std::cerr.rdbuf(errors.rdbuf());
  FuzzedDataProvider choices(data, size);
  Network network(choices);
  std::string name = "server", port = "0";
  char* words[] = {name.data(), port.data(), nullptr};
  if (server_main(2, words) != 0) wrong("the server failed");
  for (const Peer& peer : network.peers()) check(peer, network.was_stopped());
  check_errors(errors.str());
  std::cerr.rdbuf(nullptr);
  return 0;
}
