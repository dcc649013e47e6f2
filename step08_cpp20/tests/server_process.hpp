#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

/// A server program, started for a test and gone with it. Its stdout and stderr are read through
/// one pipe each.
class ServerProcess {
 public:
  /// `prepare` runs in the child before the program, to set limits.
  explicit ServerProcess(
      const char* program, const std::vector<std::string>& arguments,
      const std::function<void()>& prepare = [] {}) {
    int out[2], err[2];
    if (::pipe(out) < 0 || ::pipe(err) < 0) std::abort();
    pid_ = ::fork();
    if (pid_ < 0) std::abort();
    if (pid_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::dup2(out[1], 1);
      ::dup2(err[1], 2);
      for (int fd = 3; fd < 4096; ++fd) ::close(fd);
      prepare();
      std::vector<char*> words{const_cast<char*>(program)};
      for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
      words.push_back(nullptr);
      ::execv(program, words.data());
      ::_exit(127);
    }
    ::close(out[1]);
    ::close(err[1]);
    out_ = out[0];
    err_ = err[0];
  }

  ~ServerProcess() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      wait();
    }
    ::close(out_);
    ::close(err_);
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  /// The port that it says it listens on; 0 if it says something else. Waits for that line.
  int read_port() const {
    const std::string before = "Starting server at port ";
    const std::string line = read_line(out_);
    return line.compare(0, before.size(), before) == 0 ? std::atoi(&line[before.size()]) : 0;
  }

  std::string output_line() const { return read_line(out_); }
  std::string error_line() const { return read_line(err_); }

  /// From now on nobody reads what it prints.
  void close_output() {
    ::close(std::exchange(out_, -1));
    ::close(std::exchange(err_, -1));
  }

  /// Never when it has ended, or could not be started: kill(-1) would be for all processes.
  void signal(int number) const {
    if (pid_ > 0) ::kill(pid_, number);
  }

  /// Waits for its end. The exit status, or 1000 and the signal that ended it.
  int wait() {
    int status = 0;
    if (pid_ > 0) ::waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

  /// A file in which the system tells about it.
  std::string proc(const std::string& file) const {
    return "/proc/" + std::to_string(pid_) + '/' + file;
  }

  /// Processor time used so far, in clock ticks.
  long ticks() const {
    std::ifstream stat(proc("stat"));
    std::string word;
    long ticks = 0;
    for (int field = 1; field <= 15 && stat >> word; ++field) {
      if (field >= 14) ticks += std::atol(word.c_str());
    }
    return ticks;
  }

  /// Returns when it has nothing left to do: when the system says that it sleeps, or has ended.
  void wait_until_asleep() const {
    for (std::string state; state != "S" && state != "Z";) {
      std::ifstream stat(proc("stat"));
      if (!stat) return;
      for (int field = 1; field <= 3; ++field) stat >> state;
    }
  }

  /// How many descriptors it has open.
  int descriptors() const {
    DIR* const folder = ::opendir(proc("fd").c_str());
    int count = 0;
    while (folder && ::readdir(folder)) ++count;
    if (folder) ::closedir(folder);
    return count - 2;
  }

 private:
  static std::string read_line(int fd) {
    std::string line;
    char letter = 0;
    while (::read(fd, &letter, 1) == 1 && letter != '\n') line += letter;
    return line;
  }

  pid_t pid_ = -1;
  int out_ = -1, err_ = -1;
};
