#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

/// No value: what a bare `yield` hands out. PHP says NULL.
struct Nothing {};

/// For `co_yield nothing;`.
inline constexpr Nothing nothing;

template <typename Out, typename In>
class Stack;

/// What every promise of ours has in common. The promise is the part of a coroutine's frame that is
/// ours; this part of it says where the frame stands in a stack of calls.
///
/// A body starts when the stack resumes it first, and its frame stays after the end until the stack
/// destroys it. An exception that leaves the body is only kept here; the stack carries it on.
template <typename Out, typename In>
struct PromiseBase {
  std::coroutine_handle<> handle{};  ///< of this frame
  Stack<Out, In>* stack = nullptr;   ///< where it runs; null until it is called
  PromiseBase* caller = nullptr;     ///< who goes on when this one has ended
  std::exception_ptr error{};        ///< what has left the body

  std::suspend_always initial_suspend() const noexcept { return {}; }
  std::suspend_always final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }
};

/// A stack of coroutines that call each other: the innermost runs, the others wait for it. From
/// outside it looks like one generator, which hands out values and is sent some.
///
/// No coroutine ever resumes another one: the loop in run() resumes them all. So neither the depth
/// of the calls nor their number takes any of the machine's stack, and a yield costs the same at
/// any depth. A frame is destroyed before its caller goes on; an abandoned stack is destroyed
/// innermost first.
///
/// Using it while it runs gives `std::logic_error`. An exception that leaves a coroutine is thrown
/// into its caller; one that leaves the outermost comes out here.
///
/// Article: "Stacked coroutines" and "Error handling", stackedCoroutine().
template <typename Out, typename In>
class Stack {
 public:
  Stack() = default;
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;
  ~Stack() {
    state_ = State::running;  // so that nobody starts it again while it goes
    while (innermost_) destroy_innermost();
  }

  /// Puts a frame that has not run yet on top, and owns it from now on.
  void push(PromiseBase<Out, In>& callee) noexcept {
    callee.stack = this;
    callee.caller = innermost_;
    innermost_ = &callee;
  }

  /// The other way round: gives back the only frame of a stack that has not run yet. Throws
  /// `std::logic_error` if it has.
  PromiseBase<Out, In>& take_back() {
    if (state_ != State::fresh) throw std::logic_error("Cannot call a generator that was started");
    return *std::exchange(innermost_, nullptr);
  }

  // For whoever uses the stack. See Generator for what these do.

  void rewind() {
    start();
    if (state_ == State::advanced)
      throw std::logic_error("Cannot rewind a generator that was already run");
  }

  std::optional<Out>& current() {
    start();
    return current_;
  }

  std::optional<Out>& send(In value) {
    start();
    if (current_) {
      sent_ = std::move(value);
      run(State::advanced);
    }
    return current_;
  }

  std::optional<Out>& throw_into(std::exception_ptr error) {
    start();
    error_ = std::move(error);
    run(State::advanced);
    return current_;
  }

  // For the coroutines in the stack.

  /// What current() gives, once the coroutine has suspended.
  void yield(Out value) { current_ = std::move(value); }

  /// What the yield or the call gives where the coroutine stood: the value that was sent, or the
  /// exception that was thrown into it.
  In take_sent() {
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    return std::exchange(sent_, In());
  }

 private:
  enum class State { fresh, running, at_first_yield, advanced };

  void start() {
    if (state_ == State::running)
      throw std::logic_error("Cannot resume an already running generator");
    if (state_ == State::fresh) run(State::at_first_yield);
  }

  /// Runs to the next yield, whoever makes it, or to the end of the outermost coroutine.
  void run(State afterwards) {
    state_ = State::running;
    current_.reset();
    while (innermost_ && !current_) {
      innermost_->handle.resume();
      if (innermost_->handle.done()) destroy_innermost();
    }
    state_ = afterwards;
    if (!innermost_ && error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

  /// An exception that has left it is thrown into its caller next.
  void destroy_innermost() {
    PromiseBase<Out, In>& ended = *innermost_;
    innermost_ = ended.caller;
    error_ = std::move(ended.error);
    ended.handle.destroy();
  }

  State state_ = State::fresh;
  PromiseBase<Out, In>* innermost_ = nullptr;
  std::optional<Out> current_;
  In sent_{};
  std::exception_ptr error_;
};

/// The awaiter of a yield: suspends the coroutine, and gives what comes back.
template <typename Out, typename In>
class Suspended : public std::suspend_always {
 public:
  explicit Suspended(Stack<Out, In>& stack) : stack_(stack) {}
  In await_resume() const { return stack_.take_sent(); }

 private:
  Stack<Out, In>& stack_;
};
