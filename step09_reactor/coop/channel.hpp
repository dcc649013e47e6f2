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
  Coroutine<> send(T value, std::source_location where = std::source_location::current()) {
    Permit room = co_await room_.acquire(where);
    if (closed_) throw ChannelClosed();
    add(std::move(value), room);
  }

  /// Adds the value if there is room now. Otherwise it returns false, and the value is not moved.
  /// Throws ChannelClosed if the channel is closed.
  template <typename Value>
  bool try_send(Value&& value) {
    if (closed_) throw ChannelClosed();
    std::optional<Permit> room = room_.try_acquire();
    if (room) add(std::forward<Value>(value), *room);
    return room.has_value();
  }

  /// Waits for a value and returns it. Returns nothing when the channel is closed and empty. If the
  /// task is cancelled, no value is lost.
  Coroutine<std::optional<T>> receive(
      std::source_location where = std::source_location::current()) {
    Permit value = co_await full_.acquire(where);
    co_return take(value);
  }

  /// Returns a value if there is one now, and nothing otherwise.
  std::optional<T> try_receive() {
    std::optional<Permit> value = full_.try_acquire();
    return value ? take(*value) : std::nullopt;
  }

  /// Wakes all senders and receivers. The values that have been sent can still be received.
  void close() {
    if (std::exchange(closed_, true)) return;
    constexpr std::size_t enough_for_all = std::numeric_limits<std::size_t>::max() / 2;
    room_.release(enough_for_all);
    full_.release(enough_for_all);
  }

 private:
  template <typename Value>
  void add(Value&& value, Permit& room) {
    values_.push_back(std::forward<Value>(value));
    room.keep();
    full_.release();
  }

  std::optional<T> take(Permit& value) {
    if (values_.empty()) return std::nullopt;  // it is closed
    std::optional<T> result(std::move(values_.front()));
    values_.pop_front();
    value.keep();
    room_.release();
    return result;
  }

  Semaphore room_;
  Semaphore full_{0, "a value of a channel"};  // a permit for each value
  std::deque<T> values_;
  bool closed_ = false;
};

}  // namespace coop
