#pragma once

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "socket.hpp"
#include "task.hpp"

/// What deadlines are counted by: it never goes back.
using Clock = std::chrono::steady_clock;

/// No deadline.
constexpr Clock::time_point no_deadline = Clock::time_point::max();

/// A task that waits until a socket is ready. It does not keep the socket open.
struct Wait {
  TaskId task;
  std::weak_ptr<Descriptor> descriptor;
  short events;  ///< POLLIN to read, POLLOUT to write
  Clock::time_point deadline;
};

/// A wait that is over, and why: no error if the socket is ready, `std::errc::operation_canceled`
/// if it was closed, `std::errc::timed_out` at the deadline.
using WaitEnd = std::pair<TaskId, std::error_code>;

/// Who waits for which socket, in the order they came.
///
/// Article: "Non-Blocking IO", waitingForRead, waitingForWrite and ioPoll().
class Poller {
 public:
  void add(Wait wait) { waits_.push_back(std::move(wait)); }
  bool empty() const { return waits_.empty(); }

  /// Forgets the waits for which `is_dead` holds.
  template <typename Predicate>
  void forget(Predicate is_dead) {
    waits_.erase(std::remove_if(waits_.begin(), waits_.end(), is_dead), waits_.end());
  }

  /// Asks the system which waits are over, and takes those out. With `block` it waits for the
  /// first; a signal may end that early, and then none is over. Without anybody who waits it
  /// returns at once.
  std::vector<WaitEnd> poll(bool block) {
    polled_.clear();
    Clock::time_point wake_up = block ? no_deadline : Clock::time_point::min();
    for (const Wait& wait : waits_) {
      const int number = number_of(wait);
      if (number >= 0) place_of(number).events |= wait.events;
      wake_up = std::min(wake_up, number < 0 ? Clock::time_point::min() : wait.deadline);
    }
    if (waits_.empty()) return {};
    if (::poll(polled_.data(), polled_.size(), milliseconds_until(wake_up)) < 0 && errno != EINTR)
      throw std::system_error(errno, std::system_category(), "poll");
    return take_ended(Clock::now());
  }

 private:
  std::vector<WaitEnd> take_ended(Clock::time_point now) {
    std::vector<WaitEnd> ended;
    std::vector<Wait> going_on;
    ended.reserve(waits_.size());  // without memory it fails here, and all wait on
    going_on.reserve(waits_.size());
    for (Wait& wait : waits_) {
      const int number = number_of(wait);
      if (number < 0) {
        ended.emplace_back(wait.task, std::make_error_code(std::errc::operation_canceled));
      } else if (place_of(number).revents & (wait.events | POLLERR | POLLHUP | POLLNVAL)) {
        ended.emplace_back(wait.task, std::error_code());
      } else if (wait.deadline <= now) {
        ended.emplace_back(wait.task, std::make_error_code(std::errc::timed_out));
      } else {
        going_on.push_back(std::move(wait));
      }
    }
    waits_.swap(going_on);
    return ended;
  }

  static int number_of(const Wait& wait) {
    const std::shared_ptr<Descriptor> descriptor = wait.descriptor.lock();
    return descriptor ? descriptor->number() : -1;
  }

  /// The place of a descriptor among the polled ones. All who wait for it share it: poll(2) takes
  /// no more places than the process may have descriptors.
  pollfd& place_of(int number) {
    const auto n = static_cast<std::size_t>(number);
    if (n >= places_.size()) places_.resize(n + 1);
    if (places_[n] >= polled_.size() || polled_[places_[n]].fd != number) {
      places_[n] = polled_.size();
      polled_.push_back({number, 0, 0});
    }
    return polled_[places_[n]];
  }

  /// For poll(2): rounded up, so that it never wakes just before the time; -1 is for ever.
  static int milliseconds_until(Clock::time_point time) {
    if (time == no_deadline) return -1;
    const auto left = time - std::min(time, Clock::now());
    const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(left).count();
    return static_cast<int>(std::min<decltype(rounded)>(rounded, 1000000));
  }

  std::vector<Wait> waits_;
  std::vector<pollfd> polled_;
  std::vector<std::size_t> places_;  // by descriptor number; stale where polled_ says otherwise
};
