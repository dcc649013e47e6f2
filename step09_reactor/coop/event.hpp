#pragma once

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace coop {

class Task;

/// Something that tasks can wait for. It is prepared first and listens only while a task is
/// suspended: start() is called when the task suspends, stop() when it has been woken, by this
/// event or by another one, or is destroyed.
///
/// TrueAsync page, rows 24 to 29 and 48 of the chapter's table.
class Event {
 public:
  virtual ~Event() = default;

  /// Has it happened already, so that nobody need wait?
  virtual bool is_ready() const = 0;

  /// From now on, wake `waiter` with Task::wake() when it happens. It may do so at once. If it
  /// throws, nothing has been started.
  virtual void start(Task& waiter) = 0;

  /// Forget `waiter`. Called once for each start().
  virtual void stop(Task& waiter) noexcept = 0;

  /// For the report of a deadlock: what is being waited for, such as "task 3".
  virtual std::string description() const = 0;
};

/// The waiters of an event that may have many, in the order they came. Most have one: the first
/// needs no memory of its own.
class Waiters {
 public:
  void add(Task& waiter) {
    if (!first_ && others_.empty()) {
      first_ = &waiter;
    } else {
      others_.push_back(&waiter);
    }
  }
  void remove(Task& waiter) noexcept {
    if (first_ == &waiter) first_ = nullptr;
    std::erase(others_, &waiter);
  }

  /// Wakes all of them, and forgets them.
  void wake_all(Event& event, const std::exception_ptr& error = nullptr) {
    if (first_ || !others_.empty()) wake_each(event, error);
  }

 private:
  void wake_each(Event& event, const std::exception_ptr& error);

  Task* first_ = nullptr;
  std::vector<Task*> others_;
};

/// An event that is set by hand, and stays so until it is reset.
class ManualEvent final : public Event {
 public:
  explicit ManualEvent(std::string name = "an event") : name_(std::move(name)) {}

  void set() {
    set_ = true;
    waiters_.wake_all(*this);
  }
  void reset() { set_ = false; }

  /// Throws an error into those who wait now.
  void fail(const std::exception_ptr& error) { waiters_.wake_all(*this, error); }

  bool is_ready() const override { return set_; }
  void start(Task& waiter) override { waiters_.add(waiter); }
  void stop(Task& waiter) noexcept override { waiters_.remove(waiter); }
  std::string description() const override { return name_; }

 private:
  std::string name_;
  bool set_ = false;
  Waiters waiters_;
};

}  // namespace coop
