// Measures the CPU time that a server uses for a request. ./learn bench keeps both on one core,
// where the server runs when this has sent all it can.
//
//   ./client close ./web_server 0       each request has a connection of its own
//   ./client keep ./epoll_server keep   the connections are kept
//
// If the variable COUNT is set, it sends that many requests and measures nothing, for count.sh.
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "answer.hpp"
#include "server_process.hpp"

namespace {

/// Many clients at the same time. Each one sends a request, waits for the response, and starts
/// again, on the same connection if it is kept. Every response must be that of answer.hpp.
class Clients {
 public:
  Clients(const ServerProcess& server, bool keep, std::size_t count)
      : server_(server), keep_(keep), clients_(count) {}

  /// Sends that many requests and waits for all responses. Throws if one is wrong, or if there is
  /// none within ten seconds.
  void ask(int requests) {
    asked_ = 0;
    for (Client& client : clients_) {
      if (asked_ < requests) begin(client);
    }
    std::array<epoll_event, 1024> events;
    for (int answered = 0; answered < requests;) {
      const int count = epoll_wait(epoll_, events.data(), events.size(), 10'000);
      if (count == 0) throw std::runtime_error("no answer within ten seconds");
      for (int i = 0; i < count; ++i) {
        Client& client = *static_cast<Client*>(events[static_cast<std::size_t>(i)].data.ptr);
        if (!receive(client)) continue;
        ++answered;
        if (asked_ < requests) begin(client);
      }
    }
  }

 private:
  struct Client {
    int connection = -1;
    std::size_t size = 0;
    std::array<char, 1024> answer{};
  };

  void begin(Client& client) {
    if (client.connection < 0) {
      client.connection = server_.connect();
      epoll_event event{EPOLLIN, {.ptr = &client}};
      epoll_ctl(epoll_, EPOLL_CTL_ADD, client.connection, &event);
    }
    client.size = 0;
    if (send(client.connection, request_text.data(), request_text.size(), MSG_NOSIGNAL) < 0)
      throw std::system_error(errno, std::system_category(), "cannot send a request");
    ++asked_;
  }

  /// Receives the data that has arrived. Returns true if the response is complete.
  bool receive(Client& client) {
    while (client.size < client.answer.size()) {
      const ssize_t count = recv(client.connection, client.answer.data() + client.size,
                                 client.answer.size() - client.size, MSG_DONTWAIT);
      if (count < 0 && errno == EAGAIN) return false;
      if (count < 0) throw std::system_error(errno, std::system_category(), "no answer");
      client.size += static_cast<std::size_t>(count);
      if (count == 0 || (keep_ && client.size >= expected_.size())) break;
    }
    const std::string_view answer(client.answer.data(), client.size);
    if (answer != expected_)
      throw std::runtime_error("not the right answer: " + std::string(answer));
    if (!keep_) {
      close(client.connection);
      client.connection = -1;
    }
    return true;
  }

  const ServerProcess& server_;
  bool keep_;
  std::string expected_ = response_to(std::string(request_text), keep_);
  int epoll_ = epoll_create1(EPOLL_CLOEXEC);
  int asked_ = 0;
  std::vector<Client> clients_;
};

/// Allows this process, and the server that it starts, to have that many descriptors.
void allow_descriptors(rlim_t count) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, count));
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// Connects clients that send nothing, until this process ends. The server accepts connections in
/// order. So an answer on a later connection shows that it has accepted them all.
void connect_silent(const ServerProcess& server, Clients& clients, int count) {
  for (int i = 1; i <= count; ++i) {
    server.connect();
    if (i % 500 == 0) clients.ask(1);
  }
}

/// Prints the CPU time of a request in microseconds. It is the shortest of several repetitions,
/// because other processes can only add time.
void measure(std::string_view name, const ServerProcess& server, Clients& clients) {
  constexpr int requests = 1000;
  double shortest = 1e9;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const double used = server.used();
    clients.ask(requests);
    shortest = std::min(shortest, 1e6 * (server.used() - used) / requests);
  }
  std::printf(R"({"name": "%s", "cpu_time": %g, "time_unit": "us"})", name.data(), shortest);
}

void run(std::string_view what, char** command) {
  allow_descriptors(3000);
  const ServerProcess server(command);
  Clients clients(server, what == "keep", 100);
  if (const char* const count = std::getenv("COUNT")) return clients.ask(std::atoi(count));

  clients.ask(1000);  // to warm up
  std::printf(R"({"benchmarks": [)");
  measure(what, server, clients);
  if (what == "close") {
    connect_silent(server, clients, 1000);
    std::printf(",\n");
    measure("silent", server, clients);
  }
  std::printf("]}\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    run(argv[1], argv + 2);
  } catch (const std::exception& error) {
    std::cerr << "failed: " << error.what() << '\n';
    return 1;
  }
}
