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
#include <iterator>
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

/// One line of the result.
bool say(bool right, const std::string& what) {
  std::cout << (right ? "  ok    " : "  WRONG ") << what << std::endl;
  return right;
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
/// megabyte. The longer the run, the smaller the leak that it finds.
class Memory {
 public:
  Memory(const ServerProcess& server, long requests)
      : server_(server), requests_(requests), at_first_(memory_of(server)) {}

  void sample(long ended) {
    if (ended < next_) return;
    next_ = ended + requests_ / 200;
    const long size = memory_of(server_);
    if (ended <= requests_ / 2) most_early_ = std::max(most_early_, size);
    if (ended >= requests_ / 4 * 3) least_late_ = std::min(least_late_, size);
  }

  bool say_result() const {
    return say(least_late_ <= most_early_ + 1024,
               "memory      " + std::to_string(at_first_) + " KiB at first, " +
                   std::to_string(most_early_) + " at most in the first half, " +
                   std::to_string(least_late_) + " at least in the last quarter");
  }

 private:
  const ServerProcess& server_;
  const long requests_, at_first_;
  long next_ = 0, most_early_ = 0, least_late_ = std::numeric_limits<long>::max();
};

/// Who has closed its end is noticed soon: looks until the server has `expected` descriptors, for
/// ten seconds at most. Gives what it has.
int settled_descriptors(const ServerProcess& server, long expected) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds(10);
  while (server.descriptors() != expected && Clock::now() < end) std::this_thread::yield();
  return server.descriptors();
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

bool say_descriptors(int before, int after, long open) {
  return say(after == before + open, "descriptors " + std::to_string(before) + " at first; " +
                                         std::to_string(after) + " at the end, with " +
                                         std::to_string(open) + " silent clients");
}

bool say_end(int status, const std::string& error) {
  return say(status == 0 && error.empty(),
             "end         exit status " + std::to_string(status) + ' ' + error);
}

bool soak(const Options& options) {
  ServerProcess server(options.server, {"--port", "0"});
  const int port = server.read_port();
  const int before = server.descriptors();
  Memory memory(server, options.requests);

  const Clock::time_point start = Clock::now();
  Crowd crowd(options.requests, static_cast<std::size_t>(options.connections), port);
  crowd.run([&memory](long ended) { memory.sample(ended); });
  const std::chrono::duration<double> time = Clock::now() - start;

  const long open = crowd.open();
  const int after = settled_descriptors(server, before + open);
  server.signal(SIGTERM);
  crowd.run_to_end();
  const int status = server.wait();
  const bool right[] = {say_counts(crowd), memory.say_result(),
                        say_descriptors(before, after, open), say_end(status, server.error_line())};
  std::cout << "  " << static_cast<long>(static_cast<double>(options.requests) / time.count())
            << " requests a second" << std::endl;
  return std::find(std::begin(right), std::end(right), false) == std::end(right);
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
