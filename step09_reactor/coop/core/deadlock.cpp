#include "deadlock.hpp"

#include <iostream>
#include <sstream>
#include <utility>

#include "cancellation.hpp"
#include "wait.hpp"

namespace coop {
namespace {

std::string place(const std::source_location& where) {
  const std::string file = where.file_name();
  return file.substr(file.rfind('/') + 1) + ":" + std::to_string(where.line());
}

void describe(std::ostream& out, const EventAwaiter* waiting) {
  if (!waiting) {
    out << ", waits for no event of coop\n";
    return;
  }
  out << ", waits at " << place(waiting->where()) << " for";
  const char* separator = " ";
  for (const Wait& wait : waiting->waits()) {
    out << std::exchange(separator, " or ") << wait.event->description();
  }
  out << '\n';
}

std::string report_of(const TaskHost& host) {
  std::ostringstream out;
  out << "Deadlock detected: no active coroutines, " << host.living << " coroutines in waiting\n";
  for (TaskGroup& group : host.groups) {
    for (Task& task : group.tasks) {
      out << "  " << task.description() << ", spawned at " << place(task.spawned_at());
      describe(out, task.waiting());
    }
  }
  return out.str();
}

}  // namespace

std::exception_ptr report_deadlock(const TaskHost& host,
                                   const std::function<void(const std::string&)>& handler) {
  const std::string report = report_of(host);
  if (handler) {
    handler(report);
  } else {
    std::cerr << report;
  }
  return std::make_exception_ptr(Deadlock(report.substr(0, report.find('\n'))));
}

}  // namespace coop
