#include "server_process.hpp"

#include <netinet/in.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <system_error>

ServerProcess::ServerProcess(char** command) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) < 0) throw std::system_error(errno, std::system_category(), "pipe");
  process_ = fork();
  if (process_ < 0) throw std::system_error(errno, std::system_category(), "fork");
  if (process_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const sched_param priority{};
    sched_setscheduler(0, SCHED_BATCH, &priority);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execvp(command[0], command);
    _exit(127);
  }
  close(ends[1]);
  read_port(ends[0], command[0]);
}

void ServerProcess::read_port(int said, const std::string& name) {
  FILE* const lines = fdopen(said, "r");
  std::array<char, 100> line{};
  const bool read = std::fgets(line.data(), line.size(), lines);
  std::fclose(lines);
  if (read && std::sscanf(line.data(), "Starting server at port %d", &port_) == 1) {
    clock_getcpuclockid(process_, &clock_);
    return;
  }
  int status = 0;
  waitpid(process_, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) std::exit(127);
  throw std::runtime_error(name + " does not start");
}

ServerProcess::~ServerProcess() {
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

int ServerProcess::connect() const {
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<in_port_t>(port_));
  if (connection < 0 ||
      ::connect(connection, reinterpret_cast<sockaddr*>(&address), sizeof address) < 0) {
    throw std::system_error(errno, std::system_category(), "cannot connect");
  }
  return connection;
}

double ServerProcess::used() const {
  timespec time{};
  clock_gettime(clock_, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}
