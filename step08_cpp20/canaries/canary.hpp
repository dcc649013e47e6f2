#pragma once

#include <coroutine>
#include <exception>

/// Counts the living ones: more than none at the end is one that was never destroyed, fewer is one
/// that was destroyed twice.
class Tracked {
 public:
  Tracked() { ++living; }
  Tracked(const Tracked&) { ++living; }
  ~Tracked() { --living; }
  inline static int living = 0;
};

/// The smallest coroutine: run() resumes it until it has ended, but not forever: wrong code may
/// never end.
class Body {
 public:
  class promise_type {
   public:
    Body get_return_object() {
      return Body(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }
  };

  Body(const Body&) = delete;
  ~Body() { handle_.destroy(); }

  void run() const {
    for (int turn = 0; turn < 10 && !handle_.done(); ++turn) handle_.resume();
  }

 private:
  explicit Body(std::coroutine_handle<> handle) : handle_(handle) {}

  std::coroutine_handle<> handle_;
};

/// Something to await: suspends, and gives `value`.
template <typename T>
class Answer {
 public:
  explicit Answer(const T& value) : value_(value) {}
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) const noexcept {}
  T await_resume() const { return value_; }

 private:
  T value_;
};
