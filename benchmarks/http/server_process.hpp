#pragma once

#include <sys/types.h>

#include <stdexcept>
#include <string>

/// The program of a server is not here, or it says so with exit status 77.
struct NotThere : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A server in a process of its own. It prints "Starting server at port N" when it listens there,
/// on 127.0.0.1, and ends with this object, or with us.
class ServerProcess {
 public:
  /// Starts `command`, words that end with a null, on one core.
  ServerProcess(char** command, int core);
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess();

  /// A connection to it: a socket that blocks.
  int connect() const;

  /// CPU time that all its threads have used so far, in seconds.
  double used() const;

 private:
  void read_port(int said, const std::string& name);

  pid_t process_ = 0;
  int port_ = 0;
  clockid_t clock_{};
};

/// Who runs next, this process or one that it starts, stays on that core.
void stay_on(int core);
