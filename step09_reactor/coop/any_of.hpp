#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "scope.hpp"

namespace coop {

// What any_of() passes on: the address of an event or of a handle's task, and the coroutine itself.

inline Event* passed(Event& event) {
  return &event;
}
template <typename T>
Event* passed(const Handle<T>& task) {
  return &*task;
}
template <typename T>
Coroutine<T> passed(Coroutine<T>& body) {
  return std::move(body);
}

/// The things that any_of() accepts: an event, a handle, or a coroutine.
template <typename T>
concept Waitable = requires(T& thing) { passed(thing); };

/// any_of(), if there is a coroutine among its arguments.
template <typename... Things>
Coroutine<std::size_t> any_of_tasks(Things... things) {
  std::size_t first = 0;
  std::exception_ptr error;
  Scope scope;
  const auto event_of = [&scope](auto& thing) -> Event* {
    if constexpr (std::is_pointer_v<std::remove_reference_t<decltype(thing)>>) {
      return thing;
    } else {
      return &*scope.spawn(std::move(thing));
    }
  };
  const std::array<Event*, sizeof...(Things)> events{event_of(things)...};
  try {
    first = co_await FirstOf<std::array<Wait, sizeof...(Things)>>(events);
  } catch (...) {
    error = std::current_exception();
  }
  scope.cancel(error ? "cancelled" : "not the first");
  co_await scope.join_after(error, std::source_location::current());
  co_return first;
}

/// `co_await any_of(first, second, ...)` waits for the first of several events, handles and
/// coroutines, and returns its index. A coroutine runs as a task of its own. If another one is
/// first, it is cancelled, and its end is awaited. An error that it does not catch is thrown here.
/// The error of a handle's task is not: await the handle for it.
///
/// Await the result where any_of() is called, because it refers to the arguments.
template <Waitable... Things>
auto any_of(Things&&... things) {
  static_assert(sizeof...(Things) > 0, "there is nothing to wait for");
  if constexpr ((std::is_same_v<decltype(passed(things)), Event*> && ...)) {
    const std::array<Event*, sizeof...(Things)> events{passed(things)...};
    return FirstOf<std::array<Wait, sizeof...(Things)>>(events);
  } else {
    return any_of_tasks<decltype(passed(things))...>(passed(things)...);
  }
}

/// The same for the tasks of a vector. Throws `std::invalid_argument` if it is empty.
template <typename T>
auto any_of(const std::vector<Handle<T>>& tasks) {
  if (tasks.empty()) throw std::invalid_argument("any_of: there is nothing to wait for");
  std::vector<Event*> events;
  for (const Handle<T>& task : tasks) events.push_back(&*task);
  return FirstOf<std::vector<Wait>>(events);
}

/// `auto both = co_await all_of(first(), second());` runs coroutines as tasks of their own and
/// returns a tuple of the results, with `std::monostate` for void. If one fails, the others are
/// cancelled, and its error is thrown when all have finished. Unpack the tuple in a statement of
/// its own, because some versions of g++ compile `auto [x, y] = co_await ...` wrongly.
template <typename... T>
Coroutine<std::tuple<Result<T>...>> all_of(Coroutine<T>... bodies) {
  Scope scope;
  const std::tuple<Handle<T>...> tasks{scope.spawn(std::move(bodies))...};
  co_await scope.join();
  co_return std::apply(
      [](const Handle<T>&... task) { return std::tuple<Result<T>...>(task.take()...); }, tasks);
}

/// The same for a vector of coroutines.
template <typename T>
Coroutine<std::vector<Result<T>>> all_of(std::vector<Coroutine<T>> bodies) {
  Scope scope;
  std::vector<Handle<T>> tasks;
  for (Coroutine<T>& body : bodies) tasks.push_back(scope.spawn(std::move(body)));
  co_await scope.join();
  std::vector<Result<T>> results;
  for (const Handle<T>& task : tasks) results.push_back(task.take());
  co_return results;
}

}  // namespace coop
