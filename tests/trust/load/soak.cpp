// soak [--requests N] [--connections N] SERVER: starts a web server, and lets a crowd of clients
// loose on it, many at once, one in ten of which misbehaves. All is right if each of them got what
// it must get, to the byte, and if the server has grown neither in memory nor in descriptors, and
// ends well when it is asked to.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <thread>

#include "crowd.hpp"
#include "server_process.hpp"

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  long requests = 20000;
  long connections = 500;
  const char* server = nullptr;
};

bool read_options(char** argv, Options& options) {
  char** word = argv + 1;
  for (; *word && word[1]; word += 2) {
    const std::string name = *word;
    if (name != "--requests" && name != "--connections") return false;
    (name == "--requests" ? options.requests : options.connections) = std::atol(word[1]);
  }
  options.server = *word;
  return options.server && options.requests > 0 && options.connections > 0;
}

/// What of the server is in memory now, in KiB.
long memory_of(const ServerProcess& server) {
  std::ifstream status(server.proc("status"));
  std::string word;
  long size = 0;
  while (status >> word && word != "VmRSS:") {
  }
  status >> size;
  return size;
}

/// Does the server grow? The rule: the first half of a run is for warming up, and says what the
/// server needs. In the last quarter it must have come down to that at least once, give or take a
/// megabyte. For a million clients, that finds a leak of some eight bytes for each.
class Memory {
 public:
  explicit Memory(long requests) : requests_(requests) {}

  void sample(const ServerProcess& server, long ended) {
    if (ended < next_) return;
    next_ = ended + requests_ / 200;
    const long size = memory_of(server);
    if (ended <= requests_ / 2) most_early_ = std::max(most_early_, size);
    if (ended >= requests_ / 4 * 3) least_late_ = std::min(least_late_, size);
  }

  bool is_flat() const { return least_late_ <= most_early_ + 1024; }
  long most_early() const { return most_early_; }
  long least_late() const { return least_late_; }

 private:
  const long requests_;
  long next_ = 0, most_early_ = 0, least_late_ = std::numeric_limits<long>::max();
};

/// Who has closed its end is noticed soon: looks until the server has `expected` descriptors, for
/// ten seconds at most. Gives what it has.
int settled_descriptors(const ServerProcess& server, long expected) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds(10);
  while (server.descriptors() != expected && Clock::now() < end) std::this_thread::yield();
  return server.descriptors();
}

bool say(bool right, const std::string& what) {
  std::cout << (right ? "  ok    " : "  WRONG ") << what << std::endl;
  return right;
}

bool say_counts(const Crowd& crowd) {
  bool right = true;
  for (std::size_t i = 0; i < manner_names.size(); ++i) {
    const Crowd::Count& count = crowd.count(static_cast<Manner>(i));
    std::string name = manner_names[i];
    name.resize(12, ' ');
    right &= say(count.wrong == 0, name + std::to_string(count.right + count.wrong) +
                                       " clients: " + std::to_string(count.right) + " right, " +
                                       std::to_string(count.wrong) + " wrong");
  }
  return right;
}

bool soak(const Options& options) {
  ServerProcess server(options.server, {"--port", "0"});
  const int port = server.read_port();
  const long memory_before = memory_of(server);
  const int before = server.descriptors();

  const Clock::time_point start = Clock::now();
  Memory memory(options.requests);
  Crowd crowd(options.requests, static_cast<std::size_t>(options.connections), port);
  crowd.run([&](long ended) { memory.sample(server, ended); });
  const std::chrono::duration<double> time = Clock::now() - start;

  const long open = crowd.open();
  const int after = settled_descriptors(server, before + open);
  server.signal(SIGTERM);
  crowd.run_to_end();
  const int status = server.wait();
  const std::string error = server.error_line();

  bool right = say_counts(crowd);
  right &= say(memory.is_flat(),
               "memory      " + std::to_string(memory_before) + " KiB at first, " +
                   std::to_string(memory.most_early()) + " at most in the first half, " +
                   std::to_string(memory.least_late()) + " at least in the last quarter");
  right &= say(after == before + open, "descriptors " + std::to_string(before) + " at first; " +
                                           std::to_string(after) + " at the end, with " +
                                           std::to_string(open) + " silent clients");
  right &= say(status == 0 && error.empty(),
               "end         exit status " + std::to_string(status) + ' ' + error);
  std::cout << "  " << static_cast<long>(static_cast<double>(options.requests) / time.count())
            << " requests a second" << std::endl;
  return right;
}

}  // namespace

int main(int, char** argv) {
  Options options;
  if (!read_options(argv, options)) {
    std::cerr << "usage: soak [--requests N] [--connections N] SERVER\n";
    return 2;
  }
  ::alarm(static_cast<unsigned>(60 + options.requests / 500));  // never longer than that
  try {
    return soak(options) ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "soak: " << error.what() << '\n';
    return 1;
  }
}
