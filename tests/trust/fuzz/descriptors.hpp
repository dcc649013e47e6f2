#pragma once

#include <fcntl.h>
#include <unistd.h>

#include "wrong.hpp"

/// While this lives, nobody opens a descriptor and does not close it.
class SameDescriptors {
 public:
  SameDescriptors() : next_(next()) {}
  SameDescriptors(const SameDescriptors&) = delete;
  ~SameDescriptors() {
    if (next() != next_) wrong("a descriptor is left open");
  }

 private:
  /// The lowest that is free.
  static int next() {
    const int number = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    ::close(number);
    return number;
  }

  int next_;
};
