#pragma once

#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

/// The value of a `yield` that yields or receives nothing. In PHP this is NULL.
struct Nothing {};

/// The value for `co_yield nothing;`.
inline constexpr Nothing nothing;

/// A function that can suspend in the middle, yield a value, and continue later with a value that
/// is sent to it.
///
/// Write a function that returns a Generator and that contains a `co_yield`. The compiler puts its
/// parameters, its local variables and its state into an object that is called the frame. Calling
/// the function creates the frame and runs nothing; the first use runs the body to its first yield.
///
/// The body must not use its own generator, and a generator that was moved has no body. Article:
/// "Generators", "Generators as interruptible functions", "Coroutines" and "Error handling".
template <typename Out, typename In = Nothing>
class [[nodiscard]] Generator {
 public:
  struct promise_type;

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
    return promise_->current;
  }

  /// Resumes the body like send(), with an empty value.
  void next() { send(In{}); }

  /// Resumes the body by throwing `error` at its current yield. If the body catches the exception,
  /// this returns the next value that it yields. If not, the generator has finished, and the
  /// exception propagates to the caller.
  const std::optional<Out>& throw_into(std::exception_ptr error) {
    if (!valid()) std::rethrow_exception(error);
    promise_->error = error;
    run(In{});
    return promise_->current;
  }

 private:
  struct Destroy {
    void operator()(promise_type* promise) const { promise->handle().destroy(); }
  };

  explicit Generator(promise_type& promise) : promise_(&promise) {}

  std::optional<Out>& start() {
    if (resumes_ == 0) run(In{});
    return promise_->current;
  }

  void run(In sent) {
    ++resumes_;
    promise_->current.reset();  // a body that throws has finished
    promise_->sent = std::move(sent);
    promise_->handle().resume();
    if (promise_->error) std::rethrow_exception(promise_->error);
  }

  long long resumes_ = 0;
  std::unique_ptr<promise_type, Destroy> promise_;
};

/// The part of the frame that we write. The compiler calls its functions while it runs the body.
template <typename Out, typename In>
struct Generator<Out, In>::promise_type {
  std::optional<Out> current{};  ///< the value that the body yielded last
  In sent{};                     ///< the value that its current yield returns
  std::exception_ptr error{};    ///< an exception that is thrown into or out of the body

  /// Returns the handle that resumes and destroys the frame.
  auto handle() { return std::coroutine_handle<promise_type>::from_promise(*this); }

  /// Returns the generator. This is the first function that the compiler calls.
  Generator get_return_object() { return Generator(*this); }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  std::suspend_always final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }
  void return_void() const noexcept {}

  /// The object that suspends the body at a `co_yield`. When the body is resumed, the compiler
  /// calls await_resume(). The `co_yield` returns its return value, or throws its exception.
  struct Yield : std::suspend_always {
    explicit Yield(promise_type& p) : promise(p) {}
    In await_resume() const {
      if (promise.error) std::rethrow_exception(std::exchange(promise.error, nullptr));
      return std::move(promise.sent);
    }
    promise_type& promise;
  };

  /// Stores the value of a `co_yield`.
  Yield yield_value(Out value) {
    current = std::move(value);
    return Yield(*this);
  }
};
