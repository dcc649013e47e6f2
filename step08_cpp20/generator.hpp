#pragma once

#include <coroutine>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "stack.hpp"

/// A function that can stop in the middle, hand out a value, and go on later with a value that it
/// is sent: a two-way channel. Any function that returns this and says `co_yield` is one.
///
/// Calling the function runs nothing; the first use runs it to its first yield. Destroying the
/// generator before the end is fine: the destructors of the locals run. It can be moved, not
/// copied; one that has been moved from gives `std::logic_error`, and so does a body that uses its
/// own generator while it runs. An exception that leaves the body finishes the generator first,
/// then reaches whoever asked for the value.
///
/// `co_yield inner();` with another generator of the same type hands out all of that one's values,
/// and what is sent goes to it; a value costs the same, however deep it comes from.
///
/// Article: "Generators", "Generators as interruptible functions", "Coroutines" and "Error
/// handling".
template <typename Out, typename In = Nothing>
class [[nodiscard]] Generator {
 public:
  class promise_type;
  class Iterator;
  using value_type = Out;

  /// Runs to the first yield, if that has not happened yet.
  /// Throws `std::logic_error` once the generator has moved on: it runs one time only.
  void rewind() { stack().rewind(); }

  /// False after the end.
  bool valid() { return current().has_value(); }

  /// The value the body stopped at; `nullopt` after the end. It lives until the next resume, and
  /// the caller may move it out.
  std::optional<Out>& current() { return stack().current(); }

  /// `value` becomes the result of the yield where the body stopped; the body runs to its next
  /// yield, and what that one hands out is returned. A fresh generator runs to its first yield
  /// before, and that yield's own value is lost. After the end nothing happens: `nullopt`.
  std::optional<Out>& send(In value) { return stack().send(std::move(value)); }

  /// Throws `error` at the yield where the body stopped, and returns what the next yield hands out,
  /// if the body catches it. If not, the generator is finished and the exception comes back out, as
  /// it does from a generator that has ended already. A fresh one runs to its first yield before.
  std::optional<Out>& throw_into(std::exception_ptr error) {
    return stack().throw_into(std::move(error));
  }

  /// Goes on to the next yield. What it sends is a default value: an empty string, a zero.
  void next() { send(In()); }

  /// An input range, for range-`for` and the views of the standard library. Single pass: begin() is
  /// rewind().
  Iterator begin() {
    rewind();
    return Iterator(stack());
  }
  std::default_sentinel_t end() const noexcept { return std::default_sentinel; }

 private:
  explicit Generator(std::unique_ptr<Stack<Out, In>> stack) : stack_(std::move(stack)) {}

  Stack<Out, In>& stack() const {
    if (!stack_) throw std::logic_error("This generator has been moved away");
    return *stack_;
  }

  std::unique_ptr<Stack<Out, In>> stack_;
};

/// What the compiler asks when it meets a function that returns a Generator.
template <typename Out, typename In>
class Generator<Out, In>::promise_type : public PromiseBase<Out, In> {
 public:
  Generator get_return_object() {
    this->handle = std::coroutine_handle<promise_type>::from_promise(*this);
    auto alone = std::make_unique<Stack<Out, In>>();
    alone->push(*this);
    return Generator(std::move(alone));
  }

  /// `co_yield value`
  Suspended<Out, In> yield_value(Out value) {
    this->stack->yield(std::move(value));
    return Suspended(*this->stack);
  }

  /// `co_yield inner()`. Throws `std::logic_error` if that generator has been started.
  Suspended<Out, In> yield_value(Generator&& inner) {
    PromiseBase<Out, In>& callee = inner.stack().take_back();
    inner.stack_.reset();
    this->stack->push(callee);
    return Suspended(*this->stack);
  }

  void return_void() const noexcept {}

  /// A generator waits for nobody but its user.
  template <typename Awaitable>
  void await_transform(Awaitable&&) = delete;  // co_await belongs in a Coroutine
};

/// Walks through a generator once, as the standard library's input iterators do: `*` is current(),
/// `++` is next(), and the end is where valid() is false.
template <typename Out, typename In>
class Generator<Out, In>::Iterator {
 public:
  using iterator_concept = std::input_iterator_tag;
  using value_type = Out;
  using difference_type = std::ptrdiff_t;

  Iterator() = default;
  explicit Iterator(Stack<Out, In>& stack) : stack_(&stack) {}

  Out& operator*() const { return *stack_->current(); }
  Out* operator->() const { return &**this; }
  Iterator& operator++() {
    stack_->send(In());
    return *this;
  }
  void operator++(int) { ++*this; }

  friend bool operator==(const Iterator& iterator, std::default_sentinel_t) {
    return !iterator.stack_->current();
  }

 private:
  Stack<Out, In>* stack_ = nullptr;
};
