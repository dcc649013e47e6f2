#pragma once

#include <unistd.h>

#include <fstream>

/// Returns the resident memory of this process.
inline double resident_bytes() {
  double all = 0;
  double resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}
