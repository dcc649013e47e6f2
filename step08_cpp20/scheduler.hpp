#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <iostream>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "poller.hpp"
#include "task.hpp"

/// Lets tasks take turns, first in, first out, until none is ready and none waits for a socket, and
/// does what they ask for.
///
/// Tasks that still live when the scheduler is destroyed are destroyed with it, in the order of
/// their ids.
///
/// An exception that leaves a task ends that task and is reported; no other task notices.
///
/// Article: "Cooperative multitasking", "Communicating with the scheduler", "Non-Blocking IO" and
/// "Error handling", class Scheduler.
class Scheduler {
 public:
  Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  ~Scheduler() {  // asks for no memory: there may be none
    for (TaskId id = 1; id <= max_task_id_; ++id) {
      if (Task* const task = find(id)) {
        forget_name(*task);
        task->end();
      }
    }
  }

  /// Makes a task of `coroutine` and puts it at the end of the queue. Returns its id. Throws
  /// `std::bad_alloc`, and then there is no new task.
  TaskId new_task(Coroutine<> coroutine) {
    const TaskId id = max_task_id_ + 1;
    const auto place = tasks_.try_emplace(id, id, std::move(coroutine)).first;
    try {
      schedule(place->second);
    } catch (...) {
      tasks_.erase(place);
      throw;
    }
    return max_task_id_ = id;
  }

  /// The same, for a task that can be sent messages. If another task has the name, it keeps the
  /// messages it has; later ones go to the new task.
  TaskId new_task(Coroutine<> coroutine, const std::string& name) {
    const TaskId id = new_task(std::move(coroutine));
    tasks_.at(id).mailbox().name = name;
    names_[name] = id;
    return id;
  }

  /// Puts a task of this scheduler at the end of the queue, unless it is queued already.
  void schedule(Task& task) {
    if (task.is_queued()) return;
    ready_.push_back(&task);
    task.set_queued(true);
  }

  /// Who is told of an exception that has left a task, after that task has ended. Without one, a
  /// line on stderr says it. An exception of the handler itself comes out of run().
  void on_uncaught(std::function<void(TaskId, std::exception_ptr)> handler) {
    on_uncaught_ = std::move(handler);
  }

  /// What happens without a handler: a line on stderr.
  static void report(TaskId id, std::exception_ptr exception) {
    try {
      std::rethrow_exception(exception);
    } catch (const std::exception& error) {
      std::cerr << "task " << id << " ended by an exception: " << error.what() << '\n';
    } catch (...) {
      std::cerr << "task " << id << " ended by an exception\n";
    }
  }

  /// Runs until no task is ready and none waits for a socket; while all wait, so does run().
  void run() {
    while (!ready_.empty() || !poller_.empty()) {
      io_poll(ready_.empty());
      for (std::size_t n = ready_.size(); n > 0 && !ready_.empty(); --n) {
        Task& task = *ready_.front();
        ready_.pop_front();
        task.set_queued(false);
        run_one(task);
      }
    }
  }

  /// Ends a task wherever it stands: its coroutine is destroyed before this returns, and whoever
  /// waits for it is woken. False if there is no such task, or not any more. Not for use from
  /// inside of the task's own body, which yields kill_task() instead.
  bool kill_task(TaskId id) {
    Task* const task = find(id);
    if (!task) return false;
    end(*task);
    return true;
  }

  /// Schedules `waiter` when the task `id` has ended, at once if it has already, and sends it
  /// true. Throws `std::invalid_argument` if there never was such a task, or if it is the waiter
  /// itself. A task waits for one thing at a time.
  void wait_task(TaskId id, Task& waiter) {
    if (id < 1 || id > max_task_id_) throw std::invalid_argument("Invalid task ID!");
    if (id == waiter.id()) throw std::invalid_argument("A task cannot wait for itself");
    if (Task* const task = find(id)) {
      task->waiters().push_back(waiter.id());
    } else {
      answer(waiter, true);
    }
  }

  /// Leaves a message for the task of that name, and never waits. Without such a task, or after
  /// its end, the message is dropped.
  void send_message(const std::string& name, Value message) {
    const auto owner = names_.find(name);
    if (owner == names_.end()) return;
    Task& task = tasks_.at(owner->second);
    task.mailbox().messages.push_back(std::move(message));
    deliver(task);
  }

  /// Schedules `task` with its next message, when there is one.
  void receive_message(Task& task) {
    task.mailbox().receiving = true;
    deliver(task);
  }

  /// Schedules `task` when something can be done with a socket without waiting, when the socket is
  /// closed, or at the deadline; and sends it a `std::error_code`, see WaitEnd.
  void wait_for(Task& task, const Socket& socket, short events, Clock::time_point deadline) {
    poller_.add({task.id(), socket.descriptor(), events, deadline});
  }

  /// The tasks that have not ended, in the order of their ids. After run(), these are the ones that
  /// wait for what will not come.
  std::vector<TaskId> living_tasks() const {
    std::vector<TaskId> living;
    for (const auto& [id, task] : tasks_) {
      if (!task.is_finished()) living.push_back(id);
    }
    std::sort(living.begin(), living.end());
    return living;
  }

 private:
  void run_one(Task& task) {
    if (task.is_finished()) {  // it was killed while it stood in the queue
      tasks_.erase(task.id());
      return;
    }
    std::optional<Request> request;
    try {
      request = task.run();
    } catch (...) {
      end(task);
      const auto handler = on_uncaught_;  // it may set another one
      handler(task.id(), std::current_exception());
      return;
    }
    if (!request) {
      end(task);
    } else if (*request) {
      make(*request, task);
    } else {
      schedule(task);
    }
  }

  /// Whatever a system call throws goes to the task that made it.
  void make(const Request& request, Task& task) {
    try {
      request(task, *this);
    } catch (...) {
      poller_.forget([&](const Wait& wait) { return wait.task == task.id(); });
      task.set_exception(std::current_exception());
      schedule(task);
    }
  }

  /// Wakes those whose socket is ready. With `block` it waits until there is one.
  void io_poll(bool block) {
    poller_.forget([this](const Wait& wait) { return !find(wait.task); });
    for (const auto& [id, error] : poller_.poll(block)) {
      if (Task* const task = find(id)) answer(*task, error);
    }
  }

  /// The living task of that id, or null.
  Task* find(TaskId id) {
    const auto found = tasks_.find(id);
    if (found == tasks_.end() || found->second.is_finished()) return nullptr;
    return &found->second;
  }

  /// Empties the task now. The husk leaves when its turn comes: nobody has to look for it in the
  /// queue.
  void end(Task& task) {
    forget_name(task);
    task.end();
    for (const TaskId id : std::exchange(task.waiters(), {})) {
      if (Task* const waiter = find(id)) answer(*waiter, true);
    }
    schedule(task);
  }

  void forget_name(Task& task) {
    const auto owner = names_.find(task.mailbox().name);
    if (owner != names_.end() && owner->second == task.id()) names_.erase(owner);
  }

  void answer(Task& task, Value value) {
    task.set_send_value(std::move(value));
    schedule(task);
  }

  void deliver(Task& task) {
    Mailbox& mailbox = task.mailbox();
    if (!mailbox.receiving || mailbox.messages.empty()) return;
    mailbox.receiving = false;
    answer(task, std::move(mailbox.messages.front()));
    mailbox.messages.pop_front();
  }

  TaskId max_task_id_ = 0;
  std::unordered_map<TaskId, Task> tasks_;  // owns the tasks; they never move while they are in it
  std::unordered_map<std::string, TaskId> names_;
  std::deque<Task*> ready_;
  Poller poller_;
  std::function<void(TaskId, std::exception_ptr)> on_uncaught_ = report;
};
