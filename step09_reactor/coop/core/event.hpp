#pragma once

#include <exception>
#include <string>
#include <utility>

#include "link.hpp"

namespace coop {

class Event;
class Task;

namespace detail {

/// One wait of one task for one event. It is in the frame of the coroutine that awaits.
struct Wait : Link {
  Event* event = nullptr;
  Task* task = nullptr;
};

}  // namespace detail

/// Something that tasks can wait for: `co_await event;`. It listens only while a task waits for it.
/// It must outlive the waits: destroying an event that a task waits for is a fault of the program,
/// which an assertion reports.
///
/// TrueAsync: late start, early stop, fast return, failed start.
class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  virtual ~Event();

  /// Returns true if it has happened already, so that no task has to wait.
  virtual bool is_ready() const { return false; }

  /// Describes it for the report of a deadlock, for example "task 3".
  virtual std::string description() const = 0;

  /// Returns true while a task waits for it.
  bool is_awaited() const noexcept { return !waits_.empty(); }

 protected:
  /// Is called when the first task begins to wait. If it throws, the exception is thrown into that
  /// task, and stop() is not called. It may call wake_all(), as the last thing it does.
  virtual void start() {}

  /// Is called when the last task has left: it was woken, cancelled or destroyed.
  virtual void stop() noexcept {}

  /// Wakes all tasks that wait now, in the order in which they came. With an error, that is thrown
  /// where they wait. No code of a task runs before this returns.
  void wake_all(const std::exception_ptr& error = nullptr) noexcept {
    while (!waits_.empty()) wake_first(error);
  }

 private:
  friend class Task;

  void add(detail::Wait& wait);
  void remove(detail::Wait& wait) noexcept;
  void wake_first(const std::exception_ptr& error) noexcept;

  detail::List<detail::Wait> waits_;
};

/// An event that is set by hand, and stays set until it is reset.
class ManualEvent final : public Event {
 public:
  /// `name` describes it in the report of a deadlock.
  explicit ManualEvent(std::string name = "an event") : name_(std::move(name)) {}

  /// Wakes all tasks that wait. Later waits end at once, until reset().
  void set() {
    set_ = true;
    wake_all();
  }
  void reset() { set_ = false; }  ///< lets tasks wait again

  /// Throws an error into the tasks that wait now. A task that waits later does not get it.
  void fail(const std::exception_ptr& error) { wake_all(error); }

  bool is_ready() const override { return set_; }
  std::string description() const override { return name_; }

 private:
  std::string name_;
  bool set_ = false;
};

}  // namespace coop
