#pragma once

#include <unistd.h>

#include <fstream>

/// The memory that this process really occupies.
inline double resident_bytes() {
  double all = 0;
  double resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}
