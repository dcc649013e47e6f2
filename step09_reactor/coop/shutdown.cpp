// How a program ends, if it does not end by itself.

#include <iostream>
#include <sstream>
#include <stdexcept>

#include "scheduler.hpp"

namespace coop {
namespace {

bool is_cancellation(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Cancelled&) {
    return true;
  } catch (...) {
    return false;
  }
}

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "an exception";
  }
}

/// `second`, with `first` nested in it.
std::exception_ptr chained(const std::exception_ptr& first,
                           const std::exception_ptr& second) noexcept {
  try {
    const std::string what = text_of(second);
    try {
      std::rethrow_exception(first);
    } catch (...) {
      std::throw_with_nested(std::runtime_error(what));
    }
  } catch (...) {
    return std::current_exception();
  }
}

std::string place(const std::source_location& where) {
  const std::string file = where.file_name();
  return file.substr(file.rfind('/') + 1) + ":" + std::to_string(where.line());
}

}  // namespace

void Scheduler::shutdown(std::exception_ptr error) noexcept {
  if (error) exit_error_ = exit_error_ ? chained(exit_error_, error) : error;
  shutting_down_ = true;
  for (Task* task = living_.first(); task; task = task->next_) {
    task->protections_ = 0;
    task->cancel_with(shutdown_);
  }
}

void Scheduler::fail(std::exception_ptr error) {
  if (!is_cancellation(error)) shutdown(std::move(error));
}

void Scheduler::unhandled(std::exception_ptr error) {
  if (is_cancellation(error)) return;  // never fatal
  if (!on_unhandled_) return shutdown(std::move(error));
  try {
    on_unhandled_(std::move(error));
  } catch (...) {
    shutdown(std::current_exception());
  }
}

/// Every task is asked to end. Those that wait for good even then, after a clean-up has had its
/// chance, are destroyed where they stand.
void Scheduler::deadlock() {
  const std::size_t before = std::exchange(count_at_deadlock_, shutting_down_ ? living_count_ : 0);
  if (before == living_count_) return discard_all();
  const std::string report = deadlock_report();
  if (on_deadlock_) {
    on_deadlock_(report);
  } else {
    std::cerr << report;
  }
  shutdown(std::make_exception_ptr(Deadlock(report.substr(0, report.find('\n')))));
}

std::string Scheduler::deadlock_report() const {
  std::ostringstream report;
  report << "Deadlock detected: no active coroutines, " << living_count_
         << " coroutines in waiting\n";
  for (const Task* task = living_.first(); task; task = task->next_) {
    report << "  task " << task->id_ << ", spawned at " << place(task->spawned_at_) << ", waits at "
           << place(task->waits_at_) << " for";
    const char* separator = " ";
    for (const Event* const event : task->events_) {
      report << std::exchange(separator, " or ") << event->description();
    }
    report << '\n';
  }
  return report.str();
}

}  // namespace coop
