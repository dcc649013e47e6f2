#pragma once

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

constexpr int no_value = -1;

/// The result of a statement: nothing, true, false, a task or a number.
struct Answer {
  const char* what;
  int value = no_value;
};

constexpr Answer gets_nothing{"gets nothing"};
constexpr Answer gets_true{"gets true"};
constexpr Answer gets_false{"gets false"};
constexpr Answer gets_task(int id) {
  return {"gets task", id};
}
constexpr Answer gets_number(int number) {
  return {"gets", number};
}

/// The number of the exception that a statement throws if its task does not exist. The numbers of
/// `raise` are positive.
constexpr int invalid_id = 0;

/// An event in a frame, which is one run of a body. Frames are numbered in the order of their
/// creation. An event of a whole task has frame 0.
struct Event {
  int frame;
  int body;
  const char* what;
  int value;

  friend bool operator==(const Event& a, const Event& b) {
    return a.frame == b.frame && a.body == b.body && a.value == b.value &&
           std::string_view(a.what) == b.what;
  }
};

/// Thrown for a program that is too long.
struct TooLong : std::runtime_error {
  TooLong() : std::runtime_error("too many events") {}
};

/// All events in their order. Calls `listener` for each of them.
class Trace {
 public:
  explicit Trace(std::function<void(const Event&)> listener) : listener_(std::move(listener)) {}

  void write(int frame, int body, const char* what, int value = no_value) {
    if (++events_ > 10'000) throw TooLong();
    listener_({frame, body, what, value});
  }

  int new_frame() { return ++frames_; }

 private:
  int events_ = 0, frames_ = 0;
  std::function<void(const Event&)> listener_;
};
