#pragma once

#include <array>
#include <cstddef>
#include <source_location>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "core/first_value.hpp"

namespace coop::detail {

// What any_of() passes on: the address of an event or of a handle's task, and the coroutine itself.

inline Event* passed(Event& event) {
  return &event;
}
inline Event* passed(Event&& event) {
  return &event;
}
template <typename T>
Event* passed(const Handle<T>& task) {
  return &*task;
}
template <typename T>
Coroutine<T> passed(Coroutine<T>&& body) {
  return std::move(body);
}

/// The things that any_of() accepts: an event, a handle, or a coroutine. One that has a name must
/// be moved, because a coroutine is awaited once.
template <typename T>
concept Waitable = requires(T&& thing) { passed(std::forward<T>(thing)); };

/// What one of these things is when it is passed on.
template <Waitable T>
using Passed = decltype(passed(std::declval<T>()));

// What any_of() waits for: an array or a vector of events, or a coroutine that waits.

inline void check_any(bool is_something) {
  if (!is_something) throw std::invalid_argument("any_of: there is nothing to wait for");
}

template <Waitable... Things>
  requires(sizeof...(Things) > 0)
auto first_of(const std::source_location& where, Things&&... things) {
  if constexpr ((std::is_same_v<Passed<Things>, Event*> && ...)) {
    return std::array{passed(things)...};
  } else {
    return first_value<Values<Passed<Things>...>, std::array<Wait, sizeof...(Things)>>(
        where, std::tuple<Passed<Things>...>(passed(std::forward<Things>(things))...));
  }
}

template <typename T>
std::vector<Event*> first_of(const std::source_location&, const std::vector<Handle<T>>& tasks) {
  check_any(!tasks.empty());
  return events_of(tasks);
}

template <typename T>
auto first_of(const std::source_location& where, std::vector<Coroutine<T>> bodies) {
  check_any(!bodies.empty());
  return first_value<std::pair<std::size_t, Result<T>>, std::vector<Wait>>(where,
                                                                           std::move(bodies));
}

/// What is awaited: FirstOf the events, or the coroutine itself.
template <typename T>
struct AwaiterOf : std::type_identity<T> {};
template <std::size_t n>
struct AwaiterOf<std::array<Event*, n>> : std::type_identity<FirstOf<std::array<Wait, n>>> {};
template <>
struct AwaiterOf<std::vector<Event*>> : std::type_identity<FirstOf<std::vector<Wait>>> {};
template <typename... Things>
using AnyOf = typename AwaiterOf<decltype(first_of({}, std::declval<Things>()...))>::type;

}  // namespace coop::detail

namespace coop {

/// `co_await any_of(first, second, ...)` waits for the first of several events, handles and
/// coroutines, and returns its index.
///
/// A coroutine runs as a task of its own. If another thing is first, it is cancelled at that
/// moment, and its end is awaited. An error that it does not catch is thrown here. The error of a
/// handle's task is not: await the handle for it.
///
/// If a coroutine returns a value, the result is a `std::variant` that has the value of the first
/// one at its index; an event, a handle and a coroutine without a value have a `std::monostate`:
///
///     const auto first = co_await any_of(orders.receive(), returns.receive(), timer);
///     if (first.index() == 2) co_return;  // otherwise, std::get<0>(first) or std::get<1>(first)
///
/// The other channel keeps its value. The same holds for each coroutine that takes a value after
/// its last wait. One that waits again afterwards, or catches its cancellation, may lose it. If the
/// caller is cancelled after one was first, the result is returned, and the cancellation is thrown
/// where the caller waits the next time.
///
/// Instead, it may get a vector of handles, of which it returns the index, or a vector of
/// coroutines, of which it returns a pair: the index and the value, with `std::monostate` for void.
/// Throws `std::invalid_argument` if the vector is empty.
///
/// Await the result where any_of() is called, because it refers to the arguments.
///
/// It is a class because a function cannot have a default argument after a pack, and because the
/// standard library has a function of that name, which would be found for some arguments.
template <typename... Things>
  requires requires { typename detail::AnyOf<Things...>; }
class any_of : public detail::AnyOf<Things...> {
 public:
  /// `things` are events, handles and coroutines, or one vector.
  explicit any_of(Things&&... things,
                  const std::source_location& where = std::source_location::current())
      : detail::AnyOf<Things...>(detail::first_of(where, std::forward<Things>(things)...)) {}
};
/// So that `any_of(first, second)` needs no types.
template <typename... Things>
any_of(Things&&...) -> any_of<Things...>;

}  // namespace coop
