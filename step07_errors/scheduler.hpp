#pragma once

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "task.hpp"

/// The clock for deadlines. It is monotonic.
using Clock = std::chrono::steady_clock;

/// The deadline of a wait that has none.
constexpr Clock::time_point no_deadline = Clock::time_point::max();
constexpr int no_socket = -1;  ///< for a wait without a socket

/// Lets tasks take turns in the order of a queue, performs their system calls, and lets them wait
/// for sockets. If a task doesn't catch an exception, that task ends and the other tasks continue.
///
/// Article: "Cooperative multitasking", "Communicating with the scheduler", "Non-Blocking IO" and
/// "Error handling", class Scheduler.
class Scheduler {
 public:
  /// Adds a task that runs `coroutine`, and schedules it. Returns its id.
  TaskId new_task(std::shared_ptr<Coroutine> coroutine) {
    tasks_.emplace(++last_id_, Task{std::move(coroutine)});
    schedule(last_id_);
    return last_id_;
  }

  /// Returns the task with this id, or null if it has finished or has been killed.
  Task* find(TaskId id) {
    const auto task = tasks_.find(id);
    return task == tasks_.end() ? nullptr : &task->second;
  }

  /// Puts a task at the end of the queue. In its next turn, its current yield returns `answer`.
  /// Does nothing if the task no longer exists.
  void schedule(TaskId id, Value answer = {}) {
    if (Task* const task = find(id)) {
      task->answer = std::move(answer);
      ready_.push_back(id);
    }
  }

  /// Ends a task's wait for a socket, if any, and puts the task at the end of the queue. In its
  /// next turn, its current yield throws `exception`.
  void schedule_exception(TaskId id, std::exception_ptr exception) {
    waits_.erase(id);
    schedule(id);
    if (Task* const task = find(id)) task->exception = std::move(exception);
  }

  /// Destroys a task and schedules the tasks that wait for its end. Returns false if the task does
  /// not exist. A task that wants to kill itself must yield the system call kill_task(). The
  /// destructor of a coroutine must call neither new_task() nor kill_task().
  bool kill_task(TaskId id) {
    const auto killed = tasks_.extract(id);
    if (killed.empty()) return false;
    waits_.erase(id);
    for (const TaskId waiter : killed.mapped().waiters) schedule(waiter);
    return true;
  }

  /// Schedules a task when a socket is ready. `events` is POLLIN to read, or POLLOUT to write. If
  /// the socket isn't ready at the deadline, throws `std::errc::timed_out` into the task. If `fd`
  /// is `no_socket`, waits only for the deadline, and throws nothing.
  void wait_for(TaskId id, int fd, short events, Clock::time_point deadline) {
    waits_[id] = {{fd, events, 0}, std::min(deadline, last_deadline_)};
  }

  /// Limits all deadlines to `time`, present and future. After it, no socket counts as ready.
  void limit_deadlines(Clock::time_point time) {
    last_deadline_ = time;
    for (auto& [id, wait] : waits_) wait.deadline = std::min(wait.deadline, time);
  }

  /// Runs until the queue is empty and no task waits for a socket. A coroutine must not call it.
  void run() {
    while (!ready_.empty() || !waits_.empty()) {
      poll_sockets(ready_.empty());
      for (std::size_t turns = ready_.size(); turns > 0; --turns) run_next();
    }
  }

 private:
  struct Wait {
    pollfd socket;
    Clock::time_point deadline;
  };

  /// Runs one turn of the first task in the queue.
  void run_next() {
    const TaskId id = ready_.front();
    ready_.pop_front();
    Task* const task = find(id);
    if (!task) return;  // it was killed while its id was in the queue

    std::optional<Yielded> yielded;
    try {
      yielded = task->run();
    } catch (const std::exception& error) {
      std::cerr << "Task " << id << " failed: " << error.what() << '\n';
    } catch (...) {
      std::cerr << "Task " << id << " failed.\n";
    }
    if (!yielded) {
      kill_task(id);
    } else if (const auto* const call = std::get_if<SystemCall>(&*yielded)) {
      try {
        (*call)(id, *this);
      } catch (...) {
        schedule_exception(id, std::current_exception());
      }
    } else {
      ready_.push_back(id);
    }
  }

  /// Schedules the tasks whose sockets are ready or whose deadlines have come. If `block` is true,
  /// waits for the first of them.
  void poll_sockets(bool block) {
    if (waits_.empty()) return;
    std::vector<pollfd> polled;
    Clock::time_point wake_up = block ? no_deadline : Clock::now();
    for (const auto& [id, wait] : waits_) {
      if (wait.socket.fd != no_socket) polled.push_back(wait.socket);
      wake_up = std::min(wake_up, wait.deadline);
    }
    if (::poll(polled.data(), polled.size(), milliseconds_until(wake_up)) < 0 && errno != EINTR)
      throw std::system_error(errno, std::system_category(), "poll");

    const Clock::time_point now = Clock::now();
    auto socket = polled.begin();
    for (auto wait = waits_.begin(); wait != waits_.end();) {
      const bool has_socket = wait->second.socket.fd != no_socket;
      const bool ready = has_socket && socket++->revents != 0 && now < last_deadline_;
      if (!ready && now < wait->second.deadline) {
        ++wait;
        continue;
      }
      const TaskId id = wait->first;
      wait = waits_.erase(wait);
      if (!ready && has_socket) {
        const std::system_error error(std::make_error_code(std::errc::timed_out));
        schedule_exception(id, std::make_exception_ptr(error));
      } else {
        schedule(id);
      }
    }
  }

  /// Returns the timeout for poll(2), rounded up. -1 means no timeout.
  static int milliseconds_until(Clock::time_point time) {
    if (time == no_deadline) return -1;
    const Clock::time_point now = Clock::now();
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(std::max(time, now) - now);
    return static_cast<int>(std::min<long long>(left.count(), std::numeric_limits<int>::max()));
  }

  TaskId last_id_ = 0;
  std::unordered_map<TaskId, Task> tasks_;
  std::deque<TaskId> ready_;
  std::map<TaskId, Wait> waits_;  // a task waits for one socket at a time
  Clock::time_point last_deadline_ = no_deadline;
};
