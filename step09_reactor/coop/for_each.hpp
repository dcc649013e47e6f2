#pragma once

#include <cstddef>
#include <exception>
#include <ranges>
#include <source_location>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "scope.hpp"

namespace coop::detail {

/// What the workers of one for_each() share. It is in the frame of for_each().
template <typename Range, typename Function>
struct Iteration {
  Iteration(Range r, Function f, std::size_t l)
      : range(std::move(r)), next(std::ranges::begin(range)), function(std::move(f)), limit(l) {}

  bool has_next() { return !failed && next != std::ranges::end(range); }

  Range range;
  std::ranges::iterator_t<Range> next;
  Function function;
  std::size_t limit;  // of workers
  std::size_t started = 0;
  bool failed = false;
  Scope scope;
};

/// Takes one item after the other. While items and room are left, it spawns another worker before
/// it awaits an item, so that the iteration continues while this worker waits.
template <typename Range, typename Function>
Coroutine<> take_items(Iteration<Range, Function>* all) {
  try {
    while (all->has_next()) {
      Coroutine<> work = all->function(*all->next);
      ++all->next;
      if (all->started < all->limit && all->has_next()) {
        ++all->started;
        all->scope.spawn(take_items(all));
      }
      co_await std::move(work);
    }
  } catch (...) {
    all->failed = true;
    throw;
  }
}

template <typename Range, typename Function>
Coroutine<> iterate(Range range, Function function, std::size_t limit, std::source_location where) {
  Iteration<Range, Function> all(std::move(range), std::move(function), limit);
  if (!all.has_next()) co_return;
  all.started = 1;
  all.scope.spawn(take_items(&all), where);
  co_await all.scope.join(where);
  const bool all_taken = all.next == std::ranges::end(all.range);
  if (all.failed || !all_taken) throw Cancelled("a task of for_each was cancelled");
}

}  // namespace coop::detail

namespace coop {

/// Awaits `function(item)` for each item of `range`, at most `concurrency` of them at the same
/// time, in tasks that it starts as it needs them. It finishes when all have finished. The first
/// error cancels the others and is thrown. If the caller is cancelled, so are they. A range or a
/// function with a name is copied, unless it is moved here.
///
/// Throws `std::invalid_argument` if `concurrency` is 0.
///
/// TrueAsync: concurrent iterator.
template <std::ranges::input_range Range, SafeCallable Function>
Coroutine<> for_each(Range range, Function&& function, std::size_t concurrency,
                     const std::source_location& where = std::source_location::current()) {
  if (concurrency == 0) throw std::invalid_argument("for_each: concurrency must be at least 1");
  return detail::iterate<Range, std::decay_t<Function>>(
      std::move(range), std::forward<Function>(function), concurrency, where);
}

}  // namespace coop
