// Measures the CPU time that a server uses for a request: on the same core as the client, so that
// it is never idle, and on a core of its own. There it also measures the requests per second. `--`
// separates a server that closes each connection from one that keeps them:
//
//   ./client ./web_server 0
//   ./client ./epoll_server close -- ./epoll_server keep
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "clients.hpp"
#include "server_process.hpp"

namespace {

/// The cores and the file descriptors of this process. The servers inherit the limit of the
/// descriptors.
struct Machine {
  int first_core = -1, last_core = -1;
  std::size_t descriptors = 0;

  Machine() {
    cpu_set_t set{};
    for (int core = 0; core < CPU_SETSIZE; ++core) CPU_SET(core, &set);
    sched_setaffinity(0, sizeof set, &set);  // tools/bench starts this program on one core
    sched_getaffinity(0, sizeof set, &set);
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (!CPU_ISSET(core, &set)) continue;
      if (first_core < 0) first_core = core;
      last_core = core;
    }
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, 20000);
    setrlimit(RLIMIT_NOFILE, &limit);
    descriptors = limit.rlim_cur;
  }
};

/// Connections that send nothing.
class IdleConnections {
 public:
  IdleConnections() = default;
  IdleConnections(const IdleConnections&) = delete;
  IdleConnections& operator=(const IdleConnections&) = delete;
  ~IdleConnections() {
    for (const int connection : connections_) close(connection);
  }

  /// Connects until there are `count` connections. The server accepts them in order, so a response
  /// on a later connection shows that it has accepted them all, and that the backlog is empty.
  void grow(const ServerProcess& server, bool keep, std::size_t count) {
    while (connections_.size() < count) {
      connections_.push_back(server.connect());
      if (connections_.size() % 500 == 0) ask_once(server, keep);
    }
  }

 private:
  std::vector<int> connections_;
};

/// Measures one server and returns the results as JSON.
class Measurement {
 public:
  Measurement(const Machine& machine, char** command, bool keep)
      : machine_(machine), server_(command, machine.last_core), keep_(keep) {}

  std::vector<std::string> all() {
    stay_on(machine_.last_core);
    Clients(server_, keep_, 100).ask(requests());  // to warm up
    for (const int clients : {100, 1000}) measure("", clients, clients);
    apart();
    idle();
    return found_;
  }

 private:
  int requests() const { return keep_ ? 2000 : 1000; }

  void leave_out(const std::string& family, const std::string& reason) const {
    std::cerr << (keep_ ? "keep" : "close") << family << " is left out: " << reason << '\n';
  }

  void apart() {
    if (machine_.first_core == machine_.last_core) return leave_out("_apart", "one core only");
    stay_on(machine_.first_core);
    for (const int clients : {100, 1000}) measure("_apart", clients, clients);
    stay_on(machine_.last_core);
  }

  void idle() {
    IdleConnections connections;
    for (const std::size_t count : {0, 1000, 10000}) {
      const std::string number = std::to_string(count);
      if (machine_.descriptors < count + 200) {
        return leave_out("_idle/" + number, "it needs more descriptors (ulimit -n)");
      }
      try {
        connections.grow(server_, keep_, count);
      } catch (const std::system_error& error) {
        return leave_out("_idle/" + number, error.what());
      }
      measure("_idle", static_cast<int>(count), 100);
    }
  }

  /// Takes the best of several repetitions, because other processes can only add time.
  void measure(const std::string& family, int argument, int clients) {
    Clients load(server_, keep_, clients);
    load.ask(clients);  // once each, so that all kept connections exist
    double cpu_time = 1, rate = 0;
    for (int repetition = 0; repetition < 5; ++repetition) {
      const auto begin = std::chrono::steady_clock::now();
      const double used = server_.used();
      load.ask(requests());
      cpu_time = std::min(cpu_time, (server_.used() - used) / requests());
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      rate = std::max(rate, requests() / took.count());
    }

    std::string line = "{\"name\": \"" + std::string(keep_ ? "keep" : "close") + family + "/" +
                       std::to_string(argument) +
                       "\", \"cpu_time\": " + std::to_string(1e6 * cpu_time) +
                       ", \"time_unit\": \"us\"";
    if (family == "_apart") {
      line += ", \"requests_a_second\": " + std::to_string(rate);
    }
    found_.push_back(line + "}");
  }

  const Machine& machine_;
  ServerProcess server_;
  bool keep_;
  std::vector<std::string> found_;
};

void print(const std::vector<std::string>& found) {
  std::cout << "{\"benchmarks\": [\n";
  for (const std::string& line : found)
    std::cout << line << (&line == &found.back() ? "\n" : ",\n");
  std::cout << "]}\n";
}

}  // namespace

int main(int argc, char** argv) {
  char** const end = argv + argc;
  char** const between =
      std::find_if(argv, end, [](char* word) { return !std::strcmp(word, "--"); });
  try {
    const Machine machine;
    *between = nullptr;
    std::vector<std::string> found = Measurement(machine, argv + 1, false).all();
    if (between != end) {
      for (std::string& line : Measurement(machine, between + 1, true).all()) found.push_back(line);
    }
    print(found);
  } catch (const NotThere& error) {
    std::cerr << error.what() << '\n';
    return 77;
  } catch (const std::exception& error) {
    std::cerr << "failed: " << error.what() << '\n';
    return 1;
  }
}
