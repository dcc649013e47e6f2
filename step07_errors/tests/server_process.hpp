#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <utility>

#include "any_catch2.hpp"
#include "folders.hpp"

/// A port that no other program gets while this exists. It is bound, but it doesn't listen, so that
/// one server can.
class ReservedPort {
 public:
  ReservedPort() {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int yes = 1;
    ::setsockopt(fd_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    socklen_t size = sizeof address_;
    REQUIRE(::bind(fd_, reinterpret_cast<sockaddr*>(&address_), size) == 0);
    REQUIRE(::getsockname(fd_, reinterpret_cast<sockaddr*>(&address_), &size) == 0);
  }
  ReservedPort(const ReservedPort&) = delete;
  ~ReservedPort() { ::close(fd_); }

  int number() const { return ntohs(address_.sin_port); }

  /// Returns true if a server accepts connections.
  bool is_served() const {
    const int client = ::socket(AF_INET, SOCK_STREAM, 0);
    const auto* const address = reinterpret_cast<const sockaddr*>(&address_);
    const bool is_connected = ::connect(client, address, sizeof address_) == 0;
    ::close(client);
    return is_connected;
  }

 private:
  int fd_ = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address_{};
};

/// A server program that listens on a free port. It is killed at the end of the test, or after five
/// minutes if the tests have ended without a destructor.
class ServerProcess {
 public:
  /// Starts a program. `before` is a shell command that runs before it, for example `ulimit`.
  explicit ServerProcess(const std::string& program, const std::string& before = "true")
      : ServerProcess(program, before, 0) {
    const std::string line = read_line(), start = "Starting server at port ";
    REQUIRE(line.substr(0, start.size()) == start);
    port_ = std::stoi(line.substr(start.size()));
    REQUIRE(line == start + std::to_string(port_) + "...");
  }

  /// Starts a program that can't print its port. Waits until it listens, or has ended.
  ServerProcess(const std::string& program, const std::string& before, const ReservedPort& port)
      : ServerProcess(program, before, port.number()) {
    siginfo_t end{};
    while (!port.is_served() && end.si_pid == 0)
      ::waitid(P_PID, static_cast<id_t>(pid_), &end, WEXITED | WNOHANG | WNOWAIT);
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess() {
    signal(SIGKILL);
    wait();
    stop_reading();
  }

  int port() const { return port_; }

  /// Returns the next line that the program prints.
  std::string read_line() const {
    std::string line;
    char letter = 0;
    while (::read(output_, &letter, 1) == 1 && letter != '\n') line += letter;
    return line;
  }

  /// Closes the pipe that the program prints to.
  void stop_reading() {
    if (output_ >= 0) ::close(std::exchange(output_, -1));
  }

  void signal(int number) const {
    if (pid_ > 0) ::kill(pid_, number);
  }

  /// Waits for the end of the program. Returns its exit status, or the negative number of the
  /// signal that ended it.
  int wait() {
    int status = 0;
    if (pid_ > 0) ::waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  /// Returns its process.
  pid_t process() const { return pid_; }

 private:
  ServerProcess(const std::string& program, const std::string& before, int port) : port_(port) {
    const std::string command =
        "cd '" PROGRAMS "' && " + before + " && exec ./" + program + ' ' + std::to_string(port);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      ::alarm(300);
      ::signal(SIGPIPE, SIG_DFL);  // which the tests ignore
      ::signal(SIGINT, SIG_DFL);   // a shell may have started the tests with SIGINT ignored
      ::dup2(ends[1], 1);
      for (int fd = 3; fd < 4096; ++fd) ::close(fd);
      ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    output_ = ends[0];
  }

  pid_t pid_ = -1;
  int output_ = -1;
  int port_;
};
