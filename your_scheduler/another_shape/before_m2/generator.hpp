#pragma once

// Before m2: three states instead of a count, and current() returns a copy.

#include <optional>
#include <stdexcept>

template <typename T>
class Generator {
 public:
  Generator() = default;
  virtual ~Generator() = default;

  void rewind() {
    get_going();
    if (is_past_first_) throw std::logic_error("too late to rewind");
  }
  bool valid() {
    get_going();
    return state_ == State::asleep;
  }
  std::optional<T> current() {
    get_going();
    return value_;
  }
  void next() {
    if (!valid()) return;
    is_past_first_ = true;
    step();
  }

 private:
  enum class State { fresh, asleep, finished };
  State state_ = State::fresh;
  bool is_past_first_ = false;
  std::optional<T> value_;

  virtual std::optional<T> resume() = 0;

  void get_going() {
    if (state_ == State::fresh) step();
  }
  void step() {
    state_ = State::finished;
    value_ = std::nullopt;
    value_ = resume();
    if (value_) state_ = State::asleep;
  }
};
