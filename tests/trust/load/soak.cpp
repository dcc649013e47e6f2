// soak [--requests N] [--connections N] [--polite] SERVER: starts a web server, and runs a crowd of
// clients, many at the same time. One client in ten misbehaves, unless all are --polite. The result
// is right if each client gets the right response, byte by byte, if the memory and the number of
// file descriptors of the server don't grow, and if SIGTERM ends the server with exit status 0. In
// a polite crowd, no packet may have been sent again, because this takes a second for a dropped
// SYN; and SIGTERM ends the server in the default way.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "crowd.hpp"
#include "server_process.hpp"

namespace {

using Clock = std::chrono::steady_clock;

bool read_options(const std::vector<std::string>& words, Options& options) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--polite") {
      options.polite = true;
    } else if ((word == "--requests" || word == "--connections") && i + 1 < words.size()) {
      const long number = std::atol(words[++i].c_str());
      if (number <= 0) return false;
      if (word == "--requests") options.requests = number;
      if (word == "--connections") options.connections = static_cast<std::size_t>(number);
    } else {
      options.server = word;
    }
  }
  return !options.server.empty() && options.server[0] != '-';
}

/// Prints a line of the result.
bool say(bool right, const std::string& what) {
  std::cout << (right ? "  ok    " : "  WRONG ") << what << std::endl;
  return right;
}

/// Returns the resident memory of the server in KiB.
long memory_of(const ServerProcess& server) {
  std::ifstream status(server.proc("status"));
  std::string word;
  long size = 0;
  while (status >> word && word != "VmRSS:") {
  }
  status >> size;
  return size;
}

/// Checks that the memory of the server doesn't grow. At least once in the last quarter of a run,
/// it must be no more than a megabyte above the maximum of the first half. The longer the run, the
/// smaller the leak that this finds.
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

/// Waits until the server has at most `expected` descriptors, or ten seconds. Returns their number.
int settled_descriptors(const ServerProcess& server, int expected) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds(10);
  while (server.descriptors() > expected && Clock::now() < end) std::this_thread::yield();
  return server.descriptors();
}

bool say_counts(const Crowd& crowd) {
  bool right = true;
  for (std::size_t i = 0; i < manner_names.size(); ++i) {
    const Crowd::Count& count = crowd.count(static_cast<Manner>(i));
    if (count.right + count.wrong == 0) continue;
    std::string name = manner_names[i];
    name.resize(12, ' ');
    right &= say(count.wrong == 0, name + std::to_string(count.right + count.wrong) +
                                       " clients: " + std::to_string(count.right) + " right, " +
                                       std::to_string(count.wrong) + " wrong");
  }
  return right;
}

bool say_descriptors(int before, int after) {
  return say(after == before, "descriptors " + std::to_string(before) + " at first, " +
                                  std::to_string(after) + " at the end");
}

bool say_end(const Options& options, int status, const std::string& error) {
  return say(status == (options.polite ? -SIGTERM : 0) && error.empty(),
             "end         status " + std::to_string(status) + ' ' + error);
}

bool say_packets(const Options& options, const Crowd& crowd) {
  if (!options.polite) return true;
  return say(crowd.sent_again() == 0,
             "packets     " + std::to_string(crowd.sent_again()) + " sent again");
}

bool soak(const Options& options) {
  ServerProcess server(options.server);
  const int port = server.read_port();
  const int before = server.descriptors();
  Memory memory(server, options.requests);

  const Clock::time_point start = Clock::now();
  Crowd crowd(options, port);
  crowd.run([&memory](long ended) { memory.sample(ended); });
  const std::chrono::duration<double> time = Clock::now() - start, slowest = crowd.slowest();

  crowd.finish();
  const int after = settled_descriptors(server, before);
  server.signal(SIGTERM);
  const int status = server.wait();
  const bool right[] = {say_counts(crowd), say_packets(options, crowd), memory.say_result(),
                        say_descriptors(before, after),
                        say_end(options, status, server.error_line())};
  std::cout << "  " << static_cast<long>(static_cast<double>(options.requests) / time.count())
            << " requests a second, the slowest client took " << slowest.count() << " s"
            << std::endl;
  return std::find(std::begin(right), std::end(right), false) == std::end(right);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!read_options({argv + 1, argv + argc}, options)) {
    std::cerr << "usage: soak [--requests N] [--connections N] [--polite] SERVER\n";
    return 2;
  }
  ::alarm(static_cast<unsigned>(60 + options.requests / 500));  // kills a soak that hangs
  try {
    return soak(options) ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "soak: " << error.what() << '\n';
    return 1;
  }
}
