#pragma once

#include <functional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

constexpr int no_value = -1;

/// What a statement gives: nothing, true, a task or a number.
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

/// The error if there is no such task to kill or to wait for. Programs raise larger numbers.
constexpr int invalid_id = 0;

/// Something that has happened in a frame, which is one run of a body. Frames are counted as they
/// are made. What happens to a whole task has frame 0.
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

/// For a program that is too long, or does not end.
struct TooLong : std::runtime_error {
  TooLong() : std::runtime_error("it does not end") {}
};

/// All that happens, in order.
class Trace {
 public:
  Trace() = default;
  explicit Trace(std::function<void(const Event&)> listener) : listener_(std::move(listener)) {}

  void write(int frame, int body, const char* what, int value = no_value) {
    if (events_.size() == 10'000) throw TooLong();
    events_.push_back({frame, body, what, value});
    if (listener_) listener_(events_.back());
  }

  int new_frame() { return ++frames_; }

  const std::vector<Event>& events() const { return events_; }

 private:
  std::vector<Event> events_;
  int frames_ = 0;
  std::function<void(const Event&)> listener_;
};
