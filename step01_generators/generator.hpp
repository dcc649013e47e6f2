#pragma once

#include <optional>
#include <stdexcept>
#include <utility>

/// A function that can suspend in the middle, yield a value, and continue later.
///
/// Derive from it and write the function's body as resume(). Local variables that must survive a
/// yield become members. Creating the object runs nothing; the first use runs the body to its first
/// yield. The body must not use its own generator. Article: "Generators" and "Generators as
/// interruptible functions".
template <typename Out>
class Generator {
 public:
  virtual ~Generator() = default;

  /// Runs the body to its first yield. Throws `std::logic_error` if the body has continued after
  /// its first yield, because a generator runs only once.
  void rewind() {
    start();
    if (resumes_ > 1) throw std::logic_error("Cannot rewind a generator that was already run");
  }

  /// Returns false after the end of the body.
  bool valid() { return current().has_value(); }

  /// Returns the value that the body yielded last, or `nullopt` after the end of the body.
  const std::optional<Out>& current() { return start(); }

  /// Like current(), but moves the value out of the generator.
  std::optional<Out> take() { return std::move(start()); }

  /// Resumes the body, which runs to its next yield or to its end.
  void next() {
    if (valid()) run();
  }

 private:
  /// The body. Continues after the last yield and returns the next value, or `nullopt` at the end.
  virtual std::optional<Out> resume() = 0;

  std::optional<Out>& start() {
    if (resumes_ == 0) run();
    return current_;
  }

  void run() {
    ++resumes_;
    current_.reset();  // a body that throws has finished
    current_ = resume();
  }

  long long resumes_ = 0;
  std::optional<Out> current_;
};
