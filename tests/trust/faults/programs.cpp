// programs PROGRAM...: runs programs of step 9 that wait for several kinds of events, again and
// again. Each time, one of their calls fails, first the first call, then the second, and so on. A
// program must end with the same output as always, or with a line on stderr and another exit
// status. It must not hang or abort, and no memory and no file descriptor may be left.
#include <fcntl.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "fault.hpp"

namespace {

namespace fs = std::filesystem;

/// The calls, and errors that their manual pages name (0 is a transfer of one byte). Some are left
/// out because of libuv: it aborts if its first pipe2() fails, or close() with EIO when it starts a
/// process, and it leaves a descriptor open if its second pipe2() or its eventfd() fails.
const std::vector<std::pair<std::string, std::vector<int>>> kinds{
    {"new", {ENOMEM}},
    {"epoll_create1", {EMFILE, ENOMEM}},
    {"socketpair", {EMFILE, ENFILE}},
    {"fork", {EAGAIN, ENOMEM}},
    {"open64", {EMFILE, ENFILE, EACCES, EINTR}},
    {"read", {EINTR, EIO}},
    {"recvmsg", {EINTR, EAGAIN, ENOMEM}},
    {"write", {EINTR, EAGAIN, ENOSPC, 0}},
    {"epoll_pwait", {EINTR}},
    {"close", {EINTR}},
};

/// A new folder to work in, with one file to read.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("faults." + std::to_string(::getpid()))) {
    fs::create_directory(path_);
    fs::current_path(path_);
    std::ofstream("input") << "echo one\necho two; echo oh >&2\n";
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    fs::current_path("/");
    fs::remove_all(path_);
  }

 private:
  fs::path path_;
};

struct Outcome {
  int status = 0;      ///< the exit status, or the negative number of the signal that ended it
  std::string errors;  ///< the text on stderr
  std::string output;
  Report report;
};

void redirect(const char* file, int flags, int descriptor) {
  const int opened = ::open(file, flags, 0600);
  ::dup2(opened, descriptor);
  ::close(opened);
}

[[noreturn]] void become(const std::string& program, const Fault& fault, const ReportFile& file) {
  ::setpgid(0, 0);
  redirect("input", O_RDONLY, 0);
  redirect("output", O_WRONLY | O_CREAT | O_TRUNC, 1);
  redirect("errors", O_WRONLY | O_CREAT | O_TRUNC, 2);
  file.prepare(fault)();
  ::execl(program.c_str(), program.c_str(), nullptr);
  ::_exit(127);
}

Outcome run(const std::string& program, const Fault& fault, ReportFile& file) {
  const pid_t pid = ::fork();
  if (pid < 0) throw std::runtime_error("cannot fork");
  if (pid == 0) become(program, fault, file);
  siginfo_t end{};
  ::waitid(P_PID, static_cast<id_t>(pid), &end, WEXITED | WNOWAIT);
  ::kill(-pid, SIGKILL);  // its children; its own number is still in use
  ::waitid(P_PID, static_cast<id_t>(pid), &end, WEXITED);
  Outcome outcome;
  outcome.status = end.si_code == CLD_EXITED ? end.si_status : -end.si_status;
  std::getline(std::ifstream("errors"), outcome.errors, '\0');
  std::getline(std::ifstream("output"), outcome.output, '\0');
  outcome.report = file.take();
  return outcome;
}

/// Returns what is wrong with a run, or an empty string.
std::string complaint(const Outcome& found, const Outcome& normal) {
  if (found.status == -SIGALRM) return "it hangs";
  if (!found.report.exists) return "it ended with status " + std::to_string(found.status);
  if (found.status != normal.status && found.errors.empty()) return "it ended without a message";
  if (found.status == 0 && found.output != normal.output) return "its output is different";
  if (found.report.memory > normal.report.memory) return "memory is lost";
  if (found.report.descriptors > normal.report.descriptors)
    return "a descriptor is open at the end";
  return "";
}

struct Counts {
  int faults = 0, bad = 0;
};

Counts sweep(const std::string& program) {
  ReportFile file;
  const Outcome normal = run(program, Fault{"nothing"}, file);
  if (!normal.report.exists) throw std::runtime_error(program + " does not end");
  Counts counts;
  for (const auto& [call, errors] : kinds) {
    const int calls = run(program, Fault{call}, file).report.calls;
    for (int at = 0; at < calls; ++at) {
      for (const int error : errors) {
        const Fault fault{call, error, at};
        const Outcome outcome = run(program, fault, file);
        counts.faults += outcome.report.faults;
        const std::string what = complaint(outcome, normal);
        if (what.empty()) continue;
        ++counts.bad;
        std::cout << program << ": " << fault.text() << ": " << what << '\n'
                  << outcome.errors << '\n';
      }
    }
  }
  std::cout << program << ": " << counts.faults << " faults" << std::endl;
  return counts;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> programs;
  for (int i = 1; i < argc; ++i) programs.push_back(fs::absolute(argv[i]));
  const Folder folder;
  Counts all;
  for (const std::string& program : programs) {
    const Counts counts = sweep(program);
    all.faults += counts.faults;
    all.bad += counts.bad;
  }
  std::cout << all.faults << " faults in all, " << all.bad << " with a wrong result\n";
  return all.faults > 0 && all.bad == 0 ? 0 : 1;
}
