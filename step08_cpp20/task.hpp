#pragma once

#include <coroutine>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

class Scheduler;
class Task;

/// The number of a task. The first task has the number 1, and no number is used twice.
using TaskId = long long;

/// What a task asks the scheduler for: a function that the scheduler calls with the id of the task,
/// after the turn. The task runs again only if the function schedules it.
using Request = std::function<void(TaskId asker, Scheduler& scheduler)>;

/// The part of the frame that all coroutines have in common. The compiler calls its functions.
struct Promise {
  std::coroutine_handle<> handle{};  ///< resumes and destroys the frame
  Task* task = nullptr;              ///< the task that runs the coroutine
  Promise* caller = nullptr;         ///< the coroutine that called this coroutine
  std::exception_ptr error{};        ///< an exception that is thrown into or out of the body

  std::suspend_always initial_suspend() const noexcept { return {}; }
  std::suspend_always final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { error = std::current_exception(); }
};

/// A stack of coroutines that a scheduler runs turn by turn. The innermost coroutine runs, and all
/// others are suspended at their calls. Calls and returns don't end the turn. If a coroutine
/// doesn't catch an exception, the exception is thrown into its caller.
///
/// Article: "Cooperative multitasking", class Task, and "Stacked coroutines" and "Error handling",
/// stackedCoroutine().
class Task {
 public:
  /// A task that runs the coroutine with this promise, and destroys its frame.
  Task(TaskId task_id, Promise& coroutine) : id(task_id) { call(coroutine); }
  Task(const Task&) = delete;
  ~Task() { unwind(); }

  const TaskId id;              ///< the number of the task
  Request request;              ///< the system call that ended the last turn, empty if none
  std::vector<TaskId> waiters;  ///< the tasks that wait for the end of this task

  /// Runs one turn. Returns false if the outermost coroutine has finished, or was destroyed before.
  /// Throws the exception that the outermost coroutine doesn't catch.
  bool run() {
    request = nullptr;
    while (innermost_) {
      Promise& resumed = *innermost_;
      resumed.handle.resume();
      if (resumed.handle.done()) {
        pop();  // its caller runs next
      } else if (innermost_ == &resumed) {
        return true;  // it is suspended at a yield or at a system call
      }
      // Otherwise, it has called another coroutine, which runs next.
    }
    if (error_) std::rethrow_exception(error_);
    return false;
  }

  /// Makes `callee` the innermost coroutine. It runs next, and its caller waits for its end.
  void call(Promise& callee) {
    callee.task = this;
    callee.caller = std::exchange(innermost_, &callee);
  }

  /// Makes the current `co_await` of the innermost coroutine throw this in the next turn. If the
  /// coroutine has not begun, its first `co_await` throws this instead of returning.
  void set_exception(std::exception_ptr exception) { innermost_->error = std::move(exception); }

  /// Replaces all coroutines by `coroutine`, which starts in the next turn.
  void exec(Promise& coroutine) {
    unwind();
    call(coroutine);
    request = nullptr;
  }

  /// Destroys every coroutine before its caller. Their exceptions are lost.
  void unwind() {
    while (innermost_) pop();
    error_ = nullptr;
  }

 private:
  /// Destroys the innermost coroutine. The exception that it didn't catch is for its caller.
  void pop() {
    Promise& finished = *innermost_;
    innermost_ = finished.caller;
    if (finished.error) (innermost_ ? innermost_->error : error_) = std::move(finished.error);
    finished.handle.destroy();
  }

  Promise* innermost_ = nullptr;
  std::exception_ptr error_;  // what the outermost coroutine didn't catch
};
