#pragma once

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

/// A call of a program that fails.
struct Fault {
  std::string call;
  int error = 0;  ///< the error of the call; with 0, it transfers one byte
  int at = -1;    ///< the number of calls that succeed before; if negative, no call fails

  /// Returns the variable FAULTS for library.cpp.
  std::string variable() const {
    if (at < 0) return call;
    const std::string what = error == 0 ? "short" : std::to_string(error);
    return call + ":" + what + ":" + std::to_string(at);
  }

  std::string text() const {
    if (at < 0) return "no fault";
    const std::string what = error == 0 ? "one byte" : ::strerrorname_np(error);
    return call + " " + std::to_string(at + 1) + ": " + what;
  }
};

/// The report of the library. It does not exist if the program was killed or has aborted.
struct Report {
  int calls = 0, faults = 0, descriptors = 0, memory = 0;
  bool exists = false;
};

/// The file for the report of the library.
class ReportFile {
 public:
  ReportFile() { ::close(::mkstemp(name_.data())); }
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;
  ~ReportFile() { ::unlink(name_.c_str()); }

  /// Returns the report and deletes it.
  Report take() {
    Report report;
    std::ifstream file(name_);
    file >> report.calls >> report.faults >> report.descriptors >> report.memory;
    report.exists = !file.fail();
    file.close();
    ::truncate(name_.c_str(), 0);
    return report;
  }

  /// Returns a function for a new process to call before it runs a program with this fault. A
  /// program that hangs is killed by its alarm after ten seconds, because exec() keeps alarms.
  std::function<void()> prepare(const Fault& fault) const {
    return [fault, this] {
      ::alarm(10);
      ::setenv("FAULTS", fault.variable().c_str(), 1);
      ::setenv("FAULTS_REPORT", name_.c_str(), 1);
      ::setenv("LD_PRELOAD", FAULTS_LIBRARY, 1);
      ::setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);  // it comes after ours
    };
  }

 private:
  std::string name_ = "/tmp/faults.XXXXXX";
};
