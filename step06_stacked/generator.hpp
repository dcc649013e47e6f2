#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

/// No value: what a bare `yield` hands out. PHP says NULL.
struct Nothing {};

/// A function that can stop in the middle, hand out a value, and go on later with a value that it
/// is sent: a two-way channel.
///
/// Derive from it and write the function's body as resume(). Constructing the object runs nothing;
/// the first use runs the body to its first yield. Destroying it before the end is fine: the body's
/// locals are members, so their destructors run.
///
/// A body that uses its own generator while it runs gets `std::logic_error`. An exception that
/// leaves the body finishes the generator first, then reaches whoever asked for the value.
///
/// Article: "Generators", "Generators as interruptible functions" and "Coroutines".
template <typename Out, typename In = Nothing>
class Generator {
 public:
  class Iterator;
  using value_type = Out;

  virtual ~Generator() = default;

  /// Runs to the first yield, if that has not happened yet.
  /// Throws `std::logic_error` once the generator has moved on: it runs one time only.
  void rewind() {
    start();
    if (state_ == State::advanced)
      throw std::logic_error("Cannot rewind a generator that was already run");
  }

  /// False after the end.
  bool valid() {
    start();
    return current_.has_value();
  }

  /// The value the body stopped at; `nullopt` after the end. It lives until the next resume, and
  /// the caller may move it out.
  std::optional<Out>& current() {
    start();
    return current_;
  }

  /// `value` becomes the result of the yield where the body stopped; the body runs to its next
  /// yield, and what that one hands out is returned. A fresh generator runs to its first yield
  /// before, and that yield's own value is lost. After the end nothing happens: `nullopt`.
  std::optional<Out>& send(In value) {
    start();
    if (current_) run_body(std::move(value), State::advanced);
    return current_;
  }

  /// Goes on to the next yield. What it sends is a default value: an empty string, a zero.
  void next() { send(In{}); }

  /// For range-`for` and the standard algorithms. Single pass: begin() is rewind().
  Iterator begin() {
    rewind();
    return Iterator(this);
  }
  Iterator end() { return Iterator(); }

 private:
  enum class State { fresh, running, at_first_yield, advanced };

  /// The body: runs from where it stopped to its next yield and returns the value, or `nullopt` at
  /// the end of the function. `sent` is the result of the yield it stopped at; in the first call it
  /// means nothing.
  virtual std::optional<Out> resume(In sent) = 0;

  void start() {
    if (state_ == State::running)
      throw std::logic_error("Cannot resume an already running generator");
    if (state_ == State::fresh) run_body(In{}, State::at_first_yield);
  }

  void run_body(In sent, State afterwards) {
    state_ = State::running;
    current_.reset();  // and so it stays if the body throws: the generator has ended then
    try {
      current_ = resume(std::move(sent));
    } catch (...) {
      state_ = afterwards;
      throw;
    }
    state_ = afterwards;
  }

  State state_ = State::fresh;
  std::optional<Out> current_;
};

/// Walks through a generator once, as the standard library's input iterators do: `*` is current(),
/// `++` is next(), and the end is where valid() is false.
template <typename Out, typename In>
class Generator<Out, In>::Iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = Out;
  using difference_type = std::ptrdiff_t;
  using pointer = Out*;
  using reference = Out&;

  Iterator() = default;
  explicit Iterator(Generator* generator) : generator_(generator) {}

  Out& operator*() const { return *generator_->current(); }
  Out* operator->() const { return &**this; }
  Iterator& operator++() {
    generator_->next();
    return *this;
  }
  void operator++(int) { ++*this; }

  friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_end() == b.at_end(); }
  friend bool operator!=(const Iterator& a, const Iterator& b) { return !(a == b); }

 private:
  bool at_end() const { return !generator_ || !generator_->valid(); }

  Generator* generator_ = nullptr;
};
