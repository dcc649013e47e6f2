#pragma once

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

/// One call of a program goes wrong.
struct Fault {
  std::string call;
  int error = 0;  ///< what it fails with; 0: it moves one byte
  int at = -1;    ///< how many calls of it go well before; negative: none fails, they are counted

  /// For tools/faults.cpp.
  std::string variable() const {
    if (at < 0) return call;
    const std::string what = error == 0 ? "short" : std::to_string(error);
    return call + ":" + what + ":1:" + std::to_string(at);
  }

  std::string text() const {
    if (at < 0) return "no fault";
    const std::string what = error == 0 ? "one byte" : ::strerrorname_np(error);
    return call + " " + std::to_string(at + 1) + ": " + what;
  }
};

/// What the library has seen, if the program came to its end.
struct Report {
  int calls = 0, faults = 0, descriptors = 0, memory = 0;
  bool exists = false;
};

/// Where the library leaves its report.
class ReportFile {
 public:
  ReportFile() { ::close(::mkstemp(name_.data())); }
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;
  ~ReportFile() { ::unlink(name_.c_str()); }

  Report take() {
    Report report;
    std::ifstream file(name_);
    file >> report.calls >> report.faults >> report.descriptors >> report.memory;
    report.exists = !file.fail();
    file.close();
    ::truncate(name_.c_str(), 0);
    return report;
  }

  /// What a new process does so that the fault happens to the program which it becomes. One that
  /// hangs is ended by its own alarm, which outlives exec(), and leaves no report.
  std::function<void()> prepare(const Fault& fault) const {
    return [fault, this] {
      ::alarm(10);
      ::setenv("FAULTS", fault.variable().c_str(), 1);
      ::setenv("FAULTS_REPORT", name_.c_str(), 1);
      ::setenv("LD_PRELOAD", FAULTS_LIBRARY, 1);
      ::setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);  // it is behind ours
    };
  }

 private:
  std::string name_ = "/tmp/faults.XXXXXX";
};
