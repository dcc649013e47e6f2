#pragma once

#include <cstdlib>
#include <functional>

/// What a program does before it starts, so that one of its calls fails: see tools/faults.cpp. With
/// AddressSanitizer that library stands in front of its own.
inline std::function<void()> faults(const char* what) {
  return [what] {
    ::setenv("FAULTS", what, 1);
    ::setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
    ::setenv("LD_PRELOAD", FAULTS_LIBRARY, 1);
  };
}

extern "C" [[gnu::weak]] void __asan_init();

/// AddressSanitizer stands in front of the library with an operator new that never fails.
inline bool memory_can_fail() {
  return __asan_init == nullptr;
}
