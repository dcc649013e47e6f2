#pragma once

#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

/// The value of a `yield` that yields or receives nothing. In PHP this is NULL.
struct Nothing {};

/// A function that can suspend in the middle, yield a value, and continue later with a value that
/// is sent to it.
///
/// Derive from it and write the function's body as resume(). Local variables that must survive a
/// yield become members. Creating the object runs nothing; the first use runs the body to its first
/// yield. The body must not use its own generator. Article: "Generators", "Generators as
/// interruptible functions", "Coroutines" and "Error handling".
template <typename Out, typename In = Nothing>
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

  /// Resumes the body: its current yield returns `value`, and the body runs to its next yield or to
  /// its end. Returns the value that it yields then. If the generator has not been started yet, the
  /// body runs to its first yield before, and the value of that yield is lost.
  const std::optional<Out>& send(In value) {
    if (valid()) run(std::move(value));
    return current_;
  }

  /// Resumes the body like send(), with an empty value.
  void next() { send(In{}); }

  /// Resumes the body by throwing `error` at its current yield. If the body catches the exception,
  /// this returns the next value that it yields. If not, the generator has finished, and the
  /// exception propagates to the caller.
  const std::optional<Out>& throw_into(std::exception_ptr error) {
    if (!valid()) std::rethrow_exception(error);
    ++resumes_;
    current_.reset();
    current_ = resume_with_exception(error);
    return current_;
  }

 private:
  /// The body. Continues after the last yield and returns the next value, or `nullopt` at the end.
  /// `sent` is the value that the last yield returns; in the first call it has no meaning.
  virtual std::optional<Out> resume(In sent) = 0;

  /// The second entry point of the body: the last yield throws `error`. A body that wants to catch
  /// exceptions overrides this.
  virtual std::optional<Out> resume_with_exception(std::exception_ptr error) {
    std::rethrow_exception(error);
  }

  std::optional<Out>& start() {
    if (resumes_ == 0) run(In{});
    return current_;
  }

  void run(In sent) {
    ++resumes_;
    current_.reset();  // a body that throws has finished
    current_ = resume(std::move(sent));
  }

  long long resumes_ = 0;
  std::optional<Out> current_;
};
