#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <source_location>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "../scope.hpp"

// What the forms of any_of() have in common: the first of several things, of which some are
// coroutines.

namespace coop::detail {

/// The value of a thing that is the first: a coroutine has its result, and an event none.
template <typename T>
struct ValueOfThing : std::type_identity<std::monostate> {};
template <typename T>
struct ValueOfThing<Coroutine<T>> : std::type_identity<Result<T>> {};
template <typename T>
using ValueOf = typename ValueOfThing<T>::type;
template <typename... Things>
using Values = std::conditional_t<(std::is_same_v<ValueOf<Things>, std::monostate> && ...),
                                  std::size_t, std::variant<ValueOf<Things>...>>;

/// Spawns a coroutine into a scope. any_of() keeps the handle until it takes the result.
template <typename T>
Handle<T> started(Scope& scope, Coroutine<T>& body, const std::source_location& where) {
  return scope.spawn(std::move(body), where);
}

/// Returns the event, for which nothing has to be started.
inline Event* started(Scope&, Event* event, const std::source_location&) {
  return event;
}
inline std::monostate take(Event*) {
  return {};
}

// The things are a tuple, and the value is a variant, or an index if there are no values ...

template <typename... Things>
auto all_started(Scope& scope, std::tuple<Things...>& things, const std::source_location& where) {
  return std::apply([&](Things&... thing) { return std::tuple{started(scope, thing, where)...}; },
                    things);
}
template <typename... Tasks>
auto events_of(const std::tuple<Tasks...>& tasks) {
  constexpr std::size_t n = sizeof...(Tasks);
  return std::apply([](const Tasks&... task) { return std::array<Event*, n>{&*task...}; }, tasks);
}
template <typename Value, std::size_t at = 0, typename... Tasks>
Value value_at(std::size_t index, const std::tuple<Tasks...>& tasks) {
  if constexpr (at + 1 < sizeof...(Tasks)) {
    if (index > at) return value_at<Value, at + 1>(index, tasks);
  }
  [[maybe_unused]] auto value = take(std::get<at>(tasks));
  if constexpr (std::is_same_v<Value, std::size_t>) {
    return index;
  } else {
    return Value(std::in_place_index<at>, std::move(value));
  }
}

// ... or a vector of coroutines, and the value has the index with it.

template <typename T>
auto all_started(Scope& scope, std::vector<Coroutine<T>>& bodies,
                 const std::source_location& where) {
  std::vector<Handle<T>> tasks;
  for (Coroutine<T>& body : bodies) tasks.push_back(scope.spawn(std::move(body), where));
  return tasks;
}
template <typename T>
auto events_of(const std::vector<Handle<T>>& tasks) {
  std::vector<Event*> events;
  for (const Handle<T>& task : tasks) events.push_back(&*task);
  return events;
}
template <typename Value, typename T>
Value value_at(std::size_t index, const std::vector<Handle<T>>& tasks) {
  return Value(index, take(tasks[index]));
}

/// Runs the coroutines among the things as tasks, waits for the first thing, and takes its value.
/// The other tasks are cancelled, and their end is awaited.
template <typename Value, typename Waits, typename Things>
Coroutine<Value> first_value(std::source_location where, Things things) {
  LibraryScope scope;
  const auto tasks = all_started(scope, things, where);
  FirstOf<Waits> first(events_of(tasks), where, &scope.group());
  std::exception_ptr error;
  try {
    co_await first;
  } catch (const Cancelled&) {
    this_task().cancel(std::current_exception());  // later: the value must not be lost
  } catch (...) {
    error = std::current_exception();
  }
  scope.cancel("not the first");  // if there was no wait
  co_await scope.join_as(true, where);
  if (error) std::rethrow_exception(error);
  if (!first.is_decided()) first.await_resume();  // throws the cancellation
  co_return value_at<Value>(first.index(), tasks);
}

}  // namespace coop::detail
