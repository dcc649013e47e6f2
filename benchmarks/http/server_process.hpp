#pragma once

#include <sys/types.h>

#include <string>

/// A server in a process of its own. It prints "Starting server at port N" when it listens on
/// 127.0.0.1. It is terminated with this object, or with this process.
class ServerProcess {
 public:
  /// Starts a command. Its last word is followed by a null pointer. The kernel doesn't let it
  /// interrupt this process when something arrives (SCHED_BATCH), so that on one core, it always
  /// finds many requests. If there is no such program, ends this process with exit status 127.
  explicit ServerProcess(char** command);
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess();

  /// Connects to the server and returns a blocking socket.
  int connect() const;

  /// Returns the CPU time of all its threads, in seconds.
  double used() const;

 private:
  void read_port(int said, const std::string& name);

  pid_t process_ = 0;
  int port_ = 0;
  clockid_t clock_{};
};
