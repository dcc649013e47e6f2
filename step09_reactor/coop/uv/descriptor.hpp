#pragma once

#include <unistd.h>

#include <utility>

namespace coop {

/// Owns a descriptor of the system, or none.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& from) noexcept : number_(from.release()) {}
  Descriptor& operator=(Descriptor&& from) noexcept {
    std::swap(number_, from.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  int get() const { return number_; }

  /// From now on it is the caller's.
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

}  // namespace coop
