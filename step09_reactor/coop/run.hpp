#pragma once

#include <source_location>
#include <utility>

#include "all_of.hpp"
#include "any_of.hpp"
#include "timeout.hpp"
#include "uv/uv_reactor.hpp"
#include "version.hpp"

namespace coop {

/// Runs a program: makes a UvReactor and a Scheduler, runs `main` as the first task, and waits
/// until no task lives. Returns what `main` returns, or throws what it throws; see
/// Scheduler::run().
///
///     int main() { coop::run(main_task()); }
template <typename T>
T run(Coroutine<T> main, const std::source_location& where = std::source_location::current()) {
  UvReactor reactor;
  Scheduler scheduler(reactor);
  return scheduler.run(std::move(main), where);
}

}  // namespace coop
