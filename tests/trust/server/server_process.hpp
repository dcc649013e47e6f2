#pragma once

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <utility>

/// A server program that listens on a free port. Its output and its errors are read through a pipe
/// each. The program is killed when this object is destroyed.
class ServerProcess {
 public:
  /// Starts a program. `prepare` is called in the new process before the program.
  explicit ServerProcess(const std::string& program, const std::function<void()>& prepare = [] {}) {
    int out[2], errors[2];
    if (::pipe(out) < 0 || ::pipe(errors) < 0) std::abort();
    pid_ = ::fork();
    if (pid_ < 0) std::abort();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::dup2(out[1], 1);
      ::dup2(errors[1], 2);
      for (int fd = 3; fd < 4096; ++fd) ::close(fd);
      prepare();
      ::execl(program.c_str(), program.c_str(), "0", nullptr);
      ::_exit(127);
    }
    ::close(out[1]);
    ::close(errors[1]);
    output_ = out[0];
    errors_ = errors[0];
  }
  ~ServerProcess() {
    signal(SIGKILL);
    wait();
    ::close(output_);
    ::close(errors_);
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  /// Waits for the first line of the output. Returns the port in it, or 0 if there is none.
  int read_port() const {
    const std::string start = "Starting server at port ", line = read_line(output_);
    return line.compare(0, start.size(), start) == 0 ? std::atoi(&line[start.size()]) : 0;
  }

  /// Returns the next line of the errors, or an empty string at their end.
  std::string error_line() const { return read_line(errors_); }

  /// Sends a signal, unless the program has ended.
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

  /// Returns the path of a file about the process, such as "status".
  std::string proc(const std::string& file) const {
    return "/proc/" + std::to_string(pid_) + '/' + file;
  }

  /// Waits until the process sleeps, because it has nothing to do, or until it has ended.
  void wait_until_asleep() const {
    for (std::string state; state != "S" && state != "Z";) {
      std::ifstream stat(proc("stat"));
      if (!stat) return;
      for (int field = 1; field <= 3; ++field) stat >> state;
    }
  }

  /// Returns the number of file descriptors that are open in the process.
  int descriptors() const {
    DIR* const folder = ::opendir(proc("fd").c_str());
    int count = -2;  // the folder contains . and ..
    while (folder && ::readdir(folder)) ++count;
    if (folder) ::closedir(folder);
    return count;
  }

 private:
  static std::string read_line(int fd) {
    std::string line;
    char letter = 0;
    while (::read(fd, &letter, 1) == 1 && letter != '\n') line += letter;
    return line;
  }

  pid_t pid_ = -1;
  int output_ = -1, errors_ = -1;
};
