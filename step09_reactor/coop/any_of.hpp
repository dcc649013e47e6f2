#pragma once

#include <array>
#include <cstddef>
#include <source_location>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "first_value.hpp"

namespace coop {

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

/// The type of any_of(). It is an object because the standard library has a function of that name,
/// which would be found for arguments that have to do with it, such as a `Handle<std::string>`.
struct AnyOf {
  template <Waitable... Things>
    requires(sizeof...(Things) > 0)
  auto operator()(Things&&... things) const {
    constexpr std::size_t n = sizeof...(Things);
    if constexpr ((std::is_same_v<Passed<Things>, Event*> && ...)) {
      const std::array<Event*, n> events{passed(std::forward<Things>(things))...};
      return FirstOf<std::array<Wait, n>>(events);
    } else {
      using Value = Values<Passed<Things>...>;
      auto first = first_value<Value, std::array<Wait, n>>(
          std::source_location::current(),
          std::tuple<Passed<Things>...>(passed(std::forward<Things>(things))...));
      if constexpr ((std::is_same_v<ValueOf<Passed<Things>>, std::monostate> && ...)) {
        return index_of(std::move(first));
      } else {
        return first;
      }
    }
  }

  template <typename T>
  auto operator()(const std::vector<Handle<T>>& tasks) const {
    check(!tasks.empty());
    std::vector<Event*> events;
    for (const Handle<T>& task : tasks) events.push_back(&*task);
    return FirstOf<std::vector<Wait>>(events);
  }

  template <typename T>
  auto operator()(std::vector<Coroutine<T>> bodies) const {
    check(!bodies.empty());
    return first_value<std::pair<std::size_t, Result<T>>, std::vector<Wait>>(
        std::source_location::current(), std::move(bodies));
  }

 private:
  template <typename... T>
  static Coroutine<std::size_t> index_of(Coroutine<std::variant<T...>> first) {
    const auto value = co_await std::move(first);
    co_return value.index();
  }
  static void check(bool is_something) {
    if (!is_something) throw std::invalid_argument("any_of: there is nothing to wait for");
  }
};

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
inline constexpr AnyOf any_of;

}  // namespace coop
