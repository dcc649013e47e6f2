#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

/// Whether a child process may say why it crashes.
enum class Stderr { loud, quiet };

/// Runs `work` in a process of its own, so that it may crash, leak and hang. Gives how that ended:
/// an empty text if `work` gave true and nothing else was wrong, "a difference" if it gave false.
template <typename Work>
std::string trouble_of(Work work, Stderr errors) {
  constexpr int difference = 2;  // sanitizers use 1
  std::cout.flush();
  const pid_t child = ::fork();
  if (child == 0) {
    if (errors == Stderr::quiet) ::dup2(::open("/dev/null", O_WRONLY), STDERR_FILENO);
    std::exit(work() ? EXIT_SUCCESS : difference);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) < 0) return "no process could be started";
  if (WIFSIGNALED(status)) return ::strsignal(WTERMSIG(status));
  const int exit_status = WEXITSTATUS(status);
  if (exit_status == difference) return "a difference";
  return exit_status == EXIT_SUCCESS ? "" : "exit status " + std::to_string(exit_status);
}
