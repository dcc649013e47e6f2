#pragma once

#include <any>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "coroutine.hpp"

/// A C++20 coroutine as a `Coroutine` of the scheduler: what it awaits is what it yields. The
/// scheduler doesn't change.
class Co {
 public:
  struct promise_type {
    std::optional<Yielded> yielded;  // from the body to the scheduler
    Value sent;                      // from the scheduler to the body
    std::exception_ptr thrown;       // from the scheduler into the body
    std::exception_ptr error;        // out of the body

    Co get_return_object() { return Co(std::coroutine_handle<promise_type>::from_promise(*this)); }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }

    /// Suspends, and hands `what` to the scheduler. The `co_await` returns the value that is sent.
    struct Awaiter {
      explicit Awaiter(promise_type& its_promise) : promise(its_promise) {}
      promise_type& promise;
      bool await_ready() { return false; }
      void await_suspend(std::coroutine_handle<>) {}
      Value await_resume() {
        if (promise.thrown) std::rethrow_exception(std::exchange(promise.thrown, nullptr));
        return std::exchange(promise.sent, Value());
      }
    };
    Awaiter await_transform(Yielded what) {
      yielded = std::move(what);
      return Awaiter(*this);
    }
  };

  Co(Co&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  ~Co() {
    if (handle_) handle_.destroy();
  }

  /// Runs the body to its next `co_await`. Returns what it awaits, or `nullopt` at its end.
  std::optional<Yielded> resume(Value sent, std::exception_ptr thrown = nullptr) {
    promise_type& promise = handle_.promise();
    promise.sent = std::move(sent);
    promise.thrown = std::move(thrown);
    promise.yielded.reset();
    handle_.resume();
    if (promise.error) std::rethrow_exception(std::exchange(promise.error, nullptr));
    return std::move(promise.yielded);
  }

 private:
  explicit Co(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

/// The body of a task, as the scheduler knows it.
class CoBody final : public Coroutine {
 public:
  explicit CoBody(Co body) : body_(std::move(body)) {}

 private:
  Co body_;
  std::optional<Yielded> resume(Value sent) override { return body_.resume(std::move(sent)); }
  std::optional<Yielded> resume_with_exception(std::exception_ptr error) override {
    return body_.resume(Value(), error);
  }
};

inline std::shared_ptr<Coroutine> start(Co body) {
  return std::make_shared<CoBody>(std::move(body));
}
