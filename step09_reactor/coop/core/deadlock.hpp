#pragma once

#include <exception>
#include <functional>
#include <string>

#include "task_group.hpp"

namespace coop {

/// Calls `handler` with the report of a deadlock, or writes it to stderr if there is no handler: a
/// line that counts the tasks, and a line for each of them, with the place where it was spawned,
/// the place where it waits, and what it waits for. Returns a Deadlock with the first line.
std::exception_ptr report_deadlock(const TaskHost& host,
                                   const std::function<void(const std::string&)>& handler);

}  // namespace coop
