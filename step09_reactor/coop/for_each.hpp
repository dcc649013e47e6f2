#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <ranges>
#include <stdexcept>
#include <utility>
#include <vector>

#include "structured.hpp"

namespace coop {

/// What the workers of one for_each() share.
template <typename Range, typename Function>
struct Iteration {
  Iteration(Range r, Function f, std::size_t l)
      : range(std::move(r)), next(std::ranges::begin(range)), function(std::move(f)), limit(l) {}

  Range range;
  std::ranges::iterator_t<Range> next;
  Function function;
  std::size_t limit;
  std::size_t active = 0;
  std::exception_ptr error;
  std::shared_ptr<Microtask> more;  ///< starts one more worker, if there is room and work for it
  bool more_is_queued = false;
  std::vector<Handle<void>> workers;
  ManualEvent done{"the end of a for_each"};

  void fail(std::exception_ptr what) {
    if (!error) error = std::move(what);
  }
  bool has_next() { return !error && next != std::ranges::end(range); }
};

/// Counts a worker from when it is made until its frame goes, which it does though it never ran.
template <typename Range, typename Function>
class Worker {
 public:
  explicit Worker(std::shared_ptr<Iteration<Range, Function>> all) : all_(std::move(all)) {
    ++all_->active;
  }
  Worker(Worker&&) = default;
  ~Worker() {
    if (all_ && --all_->active == 0) all_->done.set();
  }

  Iteration<Range, Function>* operator->() const { return all_.get(); }

 private:
  std::shared_ptr<Iteration<Range, Function>> all_;
};

/// Takes items one by one and awaits what is done with them. While it waits, the microtask lets
/// another worker go on with the next item.
template <typename Range, typename Function>
Coroutine<> iterate(Worker<Range, Function> all) {
  try {
    while (all->has_next()) {
      Coroutine<> work = all->function(*all->next);
      ++all->next;
      if (!all->more_is_queued) Scheduler::current().defer(all->more);
      all->more_is_queued = true;
      co_await std::move(work);
    }
  } catch (...) {
    all->fail(std::current_exception());
  }
}

/// Starts another worker, if the limit allows it and an item is left.
template <typename Range, typename Function>
void start_worker(const std::shared_ptr<Iteration<Range, Function>>& all) {
  if (all->active == all->limit || !all->has_next()) return;
  const Handle<void> worker = spawn(iterate(Worker<Range, Function>(all)));
  try {
    all->workers.push_back(worker);
  } catch (...) {
    worker->cancel();
    throw;
  }
}

/// Awaits `function(item)` for each item of `range`, at most `concurrency` of them at a time, in
/// tasks that it starts as it needs them. Ends when all have ended. The first error stops the
/// iteration; it is thrown when those that had begun have ended. If the caller is cancelled, so are
/// they.
///
/// TrueAsync page, row 18 of the chapter's table.
template <std::ranges::input_range Range, typename Function>
Coroutine<> for_each(Range range, Function function, std::size_t concurrency) {
  if (concurrency == 0) throw std::invalid_argument("None at a time would be never");
  const auto all = std::make_shared<Iteration<Range, Function>>(std::move(range),
                                                                std::move(function), concurrency);
  std::weak_ptr<Iteration<Range, Function>> weak = all;
  all->more = std::make_shared<Microtask>([weak] {
    const auto alive = weak.lock();
    if (!alive) return;
    alive->more_is_queued = false;
    try {
      start_worker(alive);
    } catch (...) {
      alive->fail(std::current_exception());  // not for the scheduler, whose microtask this is
    }
  });
  start_worker(all);
  if (all->active == 0) co_return;
  try {
    co_await wait(all->done);
  } catch (...) {
    all->fail(std::current_exception());
    for (const Handle<void>& worker : all->workers) worker->cancel();  // so short: without memory
  }
  {
    const Protection protection(current_task());
    co_await wait(all->done);
  }
  if (all->error) std::rethrow_exception(all->error);
  if (all->has_next()) throw Cancelled("a task of the iteration was cancelled");
}

}  // namespace coop
