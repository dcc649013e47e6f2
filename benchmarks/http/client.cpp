// Measures the CPU time that a server uses for a request. ./learn bench keeps both on one core,
// where the server runs when this has sent all it can.
//
//   ./client close ./web_server 0       each request has a connection of its own
//   ./client keep ./epoll_server keep   the connections are kept
//   ./client close/1000 ./web_server 0  sends 1000 requests and measures nothing, for count.sh
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "clients.hpp"
#include "server_process.hpp"

namespace {

/// Connections that send nothing.
class SilentConnections {
 public:
  /// The server accepts connections in order. So an answer on a later connection shows that it has
  /// accepted them all.
  SilentConnections(const ServerProcess& server, int count) {
    while (static_cast<int>(connections_.size()) < count) {
      connections_.push_back(server.connect());
      if (connections_.size() % 500 == 0) ask_once(server, false);
    }
  }
  SilentConnections(const SilentConnections&) = delete;
  SilentConnections& operator=(const SilentConnections&) = delete;
  ~SilentConnections() {
    for (const int connection : connections_) close(connection);
  }

 private:
  std::vector<int> connections_;
};

/// Allows this process, and the server that it starts, to have that many descriptors.
void allow_descriptors(rlim_t count) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, count));
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// Returns the CPU time of a request in microseconds. It is the shortest of several repetitions,
/// because other processes can only add time.
double measure(const ServerProcess& server, Clients& clients) {
  constexpr int requests = 1000;
  double shortest = 1e9;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const double used = server.used();
    clients.ask(requests);
    shortest = std::min(shortest, 1e6 * (server.used() - used) / requests);
  }
  return shortest;
}

void print(const char* name, double microseconds, const char* separator) {
  std::printf(R"({"name": "%s", "cpu_time": %g, "time_unit": "us"}%s)", name, microseconds,
              separator);
}

void run(const std::string& what, char** command) {
  allow_descriptors(3000);
  const ServerProcess server(command);
  const bool keep = what.starts_with("keep");
  Clients clients(server, keep, 100);
  const std::size_t slash = what.find('/');
  if (slash != std::string::npos) return clients.ask(std::stoi(what.substr(slash + 1)));

  clients.ask(1000);  // to warm up
  std::printf(R"({"benchmarks": [)");
  print(what.c_str(), measure(server, clients), keep ? "]}\n" : ",\n");
  if (keep) return;
  const SilentConnections silent(server, 1000);
  print("silent", measure(server, clients), "]}\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    run(argv[1], argv + 2);
  } catch (const NotThere& error) {
    std::cerr << error.what() << '\n';
    return 77;
  } catch (const std::exception& error) {
    std::cerr << "failed: " << error.what() << '\n';
    return 1;
  }
}
