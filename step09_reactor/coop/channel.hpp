#pragma once

#include <cstddef>
#include <deque>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "semaphore.hpp"

namespace coop {

/// Thrown by Channel::send() if the channel is closed.
class ChannelClosed : public std::runtime_error {
 public:
  ChannelClosed() : std::runtime_error("The channel is closed") {}
};

/// A queue of values from tasks to tasks. It holds at most `capacity` values: a sender waits while
/// it is full, and a receiver while it is empty. Senders and receivers are served in the order in
/// which they came. It outlives the tasks that use it.
template <typename T>
class Channel {
 public:
  /// Throws `std::invalid_argument` if `capacity` is 0.
  explicit Channel(std::size_t capacity) : room_(capacity, "room in a channel") {
    if (capacity == 0) throw std::invalid_argument("Channel: capacity must be at least 1");
  }

  /// Waits for room and adds the value. Throws ChannelClosed if the channel is closed, or is closed
  /// while it waits. If the task is cancelled, the value is not sent.
  Coroutine<> send(T value, std::source_location where = std::source_location::current());

  /// Waits for a value and returns it. Returns nothing when the channel is closed and empty. If the
  /// task is cancelled, no value is lost.
  Coroutine<std::optional<T>> receive(std::source_location where = std::source_location::current());

  /// Wakes all senders and receivers. The values that have been sent can still be received.
  void close() {
    if (std::exchange(closed_, true)) return;
    constexpr std::size_t enough_for_all = std::numeric_limits<std::size_t>::max() / 2;
    room_.release(enough_for_all);
    full_.release(enough_for_all);
  }

 private:
  Semaphore room_;
  Semaphore full_{0, "a value of a channel"};  // a permit for each value
  std::deque<T> values_;
  bool closed_ = false;
};

template <typename T>
Coroutine<> Channel<T>::send(T value, std::source_location where) {
  Permit room = co_await room_.acquire(where);
  if (closed_) throw ChannelClosed();
  values_.push_back(std::move(value));
  room.keep();
  full_.release();
}

template <typename T>
Coroutine<std::optional<T>> Channel<T>::receive(std::source_location where) {
  Permit value = co_await full_.acquire(where);
  if (values_.empty()) co_return std::nullopt;  // it is closed
  std::optional<T> result(std::move(values_.front()));
  values_.pop_front();
  value.keep();
  room_.release();
  co_return result;
}

}  // namespace coop
