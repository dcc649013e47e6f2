// CPU time for each request of four servers, in the same run: a bare epoll loop, libuv with
// callbacks, and ours. Server and client share one core, so that a fast server does not idle; what
// counts is the time that the kernel says the server has used.

#include <benchmark/benchmark.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "answer.hpp"

namespace {

constexpr int clients = 64;

/// A server in a process of its own, from one of the programs beside this one.
class Server {
 public:
  Server(const std::string& program, const std::string& how) {
    std::array<int, 2> pipe_ends{};
    if (pipe(pipe_ends.data()) < 0) throw std::runtime_error("no pipe");
    const std::filesystem::path folder =
        std::filesystem::read_symlink("/proc/self/exe").parent_path();
    process_ = fork();
    if (process_ == 0) {
      dup2(pipe_ends[1], 1);
      const std::string path = folder / program;
      if (how.empty()) {
        execl(path.c_str(), path.c_str(), "--port", "0", nullptr);
      } else {
        execl(path.c_str(), path.c_str(), how.c_str(), nullptr);
      }
      std::exit(127);
    }
    close(pipe_ends[1]);
    FILE* const said = fdopen(pipe_ends[0], "r");
    if (std::fscanf(said, "Starting server at port %d", &port_) != 1) {
      throw std::runtime_error(program + " does not start");
    }
    std::fclose(said);
  }
  Server(const Server&) = delete;
  ~Server() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

  /// CPU time so far, in seconds.
  double used() const {
    timespec time{};
    clockid_t clock{};
    clock_getcpuclockid(process_, &clock);
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  int connect() const {
    const int number = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<in_port_t>(port_));
    if (::connect(number, reinterpret_cast<sockaddr*>(&address), sizeof address) < 0) {
      throw std::runtime_error("cannot connect");
    }
    return number;
  }

 private:
  pid_t process_ = 0;
  int port_ = 0;
};

void ask(int connection) {
  if (send(connection, request_text.data(), request_text.size(), 0) < 0) {
    throw std::runtime_error("cannot send");
  }
}

/// Reads so many bytes, or until the server closes. False if nothing came.
bool hear(int connection, std::size_t at_most) {
  std::array<char, 4096> buffer;
  std::size_t size = 0;
  ssize_t count = 0;
  while (size < at_most && (count = recv(connection, buffer.data(), buffer.size(), 0)) > 0) {
    size += static_cast<std::size_t>(count);
  }
  return size > 0;
}

void use_one_core() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  sched_setaffinity(0, sizeof set, &set);
}

/// Connections that are there and send nothing.
std::vector<int> idle_connections(const Server& server, std::int64_t count) {
  std::vector<int> idle;
  for (std::int64_t i = 0; i < count; ++i) idle.push_back(server.connect());
  return idle;
}

void close_each(benchmark::State& state, const std::string& program, const std::string& how) {
  use_one_core();
  const Server server(program, how);
  const std::vector<int> idle = idle_connections(server, state.range(0));
  for (auto _ : state) {
    const double before = server.used();
    std::array<int, clients> connections;
    for (int& connection : connections) {
      connection = server.connect();
      ask(connection);
    }
    for (const int connection : connections) {
      if (!hear(connection, std::string::npos)) state.SkipWithError("no answer");
      close(connection);
    }
    state.SetIterationTime((server.used() - before) / clients);
  }
  for (const int connection : idle) close(connection);
}

void keep_alive(benchmark::State& state, const std::string& program, const std::string& how) {
  use_one_core();
  const Server server(program, how);
  const std::vector<int> idle = idle_connections(server, state.range(0));
  std::array<int, clients> connections;
  for (int& connection : connections) connection = server.connect();
  for (auto _ : state) {
    const double before = server.used();
    for (const int connection : connections) ask(connection);
    for (const int connection : connections) {
      if (!hear(connection, keep_alive_answer.size())) state.SkipWithError("no answer");
    }
    state.SetIterationTime((server.used() - before) / clients);
  }
  for (const int connection : connections) close(connection);
  for (const int connection : idle) close(connection);
}

}  // namespace

int main(int argc, char** argv) {
  const auto add = [](const char* name, auto function, const char* program, const char* how) {
    return benchmark::RegisterBenchmark(name, function, program, how)
        ->Arg(0)
        ->UseManualTime()
        ->Iterations(1000)  // times 64 requests
        ->Unit(benchmark::kMicrosecond);
  };
  add("close/epoll", close_each, "epoll_server", "close");
  add("close/libuv", close_each, "uv_server", "close");
  add("close/ours", close_each, "web_server", "");
  add("keep/epoll", keep_alive, "epoll_server", "keep");
  add("keep/libuv", keep_alive, "uv_server", "keep");
  add("keep/ours", keep_alive, "keep_alive_server", "")->Arg(9000);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
