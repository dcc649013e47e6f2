#pragma once

#include <cstddef>
#include <exception>

#include "ring_buffer.hpp"
#include "task.hpp"

namespace coop::detail {

/// What tasks need of the scheduler that runs them.
class TaskHost {
 public:
  /// Is called with each error that no task can await.
  virtual void unhandled(std::exception_ptr error) noexcept = 0;

  /// Puts a frame into the queue, where there is room for each task.
  void make_ready(Promise& frame) noexcept { frame.place = ready.push_back_reserved(&frame); }

  /// Returns the task that has this id and has not finished, or null.
  Task* find(TaskId id) const;

  /// Cancels every task, protected or not, and those that are spawned into the groups of now.
  void cancel_all(const std::exception_ptr& cancellation) noexcept;

  /// Destroys every task, last spawned first, and those that destructors spawn meanwhile.
  void destroy_all() noexcept;

  /// Destroys the tasks of a group, last spawned first, and those that destructors spawn into it.
  /// Nothing is thrown into them.
  void destroy(List<Task>& group) noexcept;

  RingBuffer<Promise*> ready;  ///< the frames that have the next turns; null for a destroyed one
  std::size_t destroyed = 0;   ///< those in `ready`
  List<TaskGroup> groups;      ///< all groups of this host
  List<Task> failed;           ///< finished with an error that a handle may still throw
  std::size_t living = 0;      ///< tasks that have not finished

 protected:
  ~TaskHost() = default;
};

/// Living tasks that belong together: those of a Scope, or all others.
class TaskGroup : public Link {
 public:
  explicit TaskGroup(TaskHost& of) : host(of) { host.groups.add(*this); }
  virtual ~TaskGroup() { host.groups.remove(*this); }

  /// Is called when a task has finished and left the group. Returns true if the group handles the
  /// error of the task. Otherwise the error is unhandled, unless a handle throws it.
  virtual bool finished(const Task&, const std::exception_ptr&) noexcept { return false; }

  /// Cancels all its tasks, and those that are spawned from now on. Only the first call counts.
  void cancel(const std::exception_ptr& reason) noexcept {
    if (cancellation) return;
    cancellation = reason;
    for (Task& task : tasks) task.cancel(reason);
  }

  TaskHost& host;
  List<Task> tasks;                 ///< in the order in which they were spawned
  std::exception_ptr cancellation;  ///< of all its tasks, also of those that are spawned
};

}  // namespace coop::detail
