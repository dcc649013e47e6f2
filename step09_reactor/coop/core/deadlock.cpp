#include <iostream>
#include <sstream>
#include <string>

#include "scheduler.hpp"

namespace coop {
using namespace detail;
namespace {

std::string place(const std::source_location& where) {
  const std::string file = where.file_name();
  return file.substr(file.rfind('/') + 1) + ":" + std::to_string(where.line());
}

std::string wait_of(const Task& task) {
  const EventAwaiter* const waiting = task.waiting();
  if (!waiting) return "waits for no event of coop";
  return "waits at " + place(waiting->where()) + " for " + waiting->description();
}

/// A line that counts the tasks, and a line for each of them, with the place where it was spawned,
/// the place where it waits, and what it waits for.
std::string report_of(const TaskHost& host) {
  std::ostringstream out;
  out << "Deadlock detected: no active coroutines, " << host.living << " coroutines in waiting\n";
  for (TaskGroup& group : host.groups) {
    for (Task& task : group.tasks) {
      out << "  " << task.description() << ", spawned at " << place(task.spawned_at()) << ", "
          << wait_of(task) << '\n';
    }
  }
  return out.str();
}

}  // namespace

std::string EventAwaiter::description() const {
  std::string text;
  for (const Wait& wait : waits()) {
    text += (text.empty() ? "" : " or ") + wait.event->description();
  }
  return text;
}

void Scheduler::deadlock() {
  const std::string report = report_of(*this);
  if (on_deadlock_) {
    defer([this, report] { on_deadlock_(report); });
  } else {
    std::cerr << report;
  }
  shutdown_.begin(std::make_exception_ptr(Deadlock(report.substr(0, report.find('\n')))),
                  std::make_exception_ptr(Cancelled("Deadlock detected")));
  run_microtasks();  // the report comes before the turns of the cancelled tasks
}

}  // namespace coop
