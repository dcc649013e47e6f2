#pragma once

namespace coop {

class Task;

/// Tasks in the order in which they were added. The links stand in the tasks, so a task is in one
/// list at most, and nothing here needs memory.
class TaskList {
 public:
  bool empty() const { return !first_; }
  Task* first() const { return first_; }

  void add(Task& task) noexcept;
  void remove(Task& task) noexcept;

 private:
  Task* first_ = nullptr;
  Task* last_ = nullptr;
};

}  // namespace coop
