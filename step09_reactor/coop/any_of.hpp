#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <optional>
#include <source_location>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "scope.hpp"

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

/// The awaiter of any_of() if some of its events are tasks of a scope. When the wait ends, by the
/// first event or by a cancellation, all tasks of the scope are cancelled before one of them has
/// another turn. So a task that would take a value in its next turn leaves it where it is.
template <std::size_t n>
class FirstInScope final : public FirstOf<std::array<Wait, n + 1>> {
 public:
  /// `reason` is why the others are cancelled.
  FirstInScope(const std::array<Event*, n>& events, Scope& scope, std::string reason,
               const std::source_location& at)
      : FirstOf<std::array<Wait, n + 1>>(events, at), scope_(scope), reason_(std::move(reason)) {
    this->all_[n].event = &end_;
  }

  std::size_t index() const { return this->first; }    ///< the result of the wait
  bool is_decided() const { return this->first < n; }  ///< one was first, also if an error came
  void cancel_others() {
    if (!scope_.empty()) scope_.cancel(is_decided() ? reason_ : "cancelled");
  }

 private:
  /// Another event of the same wait, which never happens.
  class End final : public Event {
   public:
    explicit End(FirstInScope& awaiter) : awaiter_(awaiter) {}
    std::string description() const override { return {}; }

   private:
    void stop() noexcept override { awaiter_.cancel_others(); }

    FirstInScope& awaiter_;
  };

  Scope& scope_;
  std::string reason_;
  End end_{*this};
};

// Of a coroutine, any_of() keeps the handle until it takes the result.

template <typename T>
Handle<T> started(Scope& scope, Coroutine<T>& body, const std::source_location& where) {
  return scope.spawn(std::move(body), where);
}
inline Event* started(Scope&, Event* event, const std::source_location&) {
  return event;
}
template <typename T>
Event* event_of(const Handle<T>& task) {
  return &*task;
}
inline Event* event_of(Event* event) {
  return event;
}
template <typename T>
Result<T> value_of(const Handle<T>& task) {
  return task.take();
}
inline std::monostate value_of(Event*) {
  return {};
}

template <typename Values, typename Tasks, std::size_t... i>
Values value_at(std::size_t index, const Tasks& tasks, std::index_sequence<i...>) {
  std::optional<Values> value;
  const auto take = [&]<std::size_t at>(std::integral_constant<std::size_t, at>) {
    if (at == index) value.emplace(std::in_place_index<at>, value_of(std::get<at>(tasks)));
  };
  (take(std::integral_constant<std::size_t, i>()), ...);
  return std::move(*value);
}

/// any_of(), if there is a coroutine among its arguments. `Values` is a variant.
template <typename Values, typename... Things>
Coroutine<Values> first_value(std::string reason, std::source_location where, Things... things) {
  Scope scope;
  const std::tuple tasks{started(scope, things, where)...};
  const auto events = [](const auto&... task) { return std::array{event_of(task)...}; };
  FirstInScope<sizeof...(Things)> first(std::apply(events, tasks), scope, std::move(reason), where);
  std::exception_ptr error;
  try {
    co_await first;
  } catch (...) {
    error = std::current_exception();
  }
  first.cancel_others();  // also if there was no wait
  const bool is_decided = first.is_decided() && (!error || is_cancellation(error));
  if (is_decided && error) current_task().cancel(std::exchange(error, nullptr));
  try {
    co_await scope.join_after(error, where);
  } catch (const Cancelled&) {
    if (!is_decided) throw;
    current_task().cancel(std::current_exception());  // later: the value must not be lost
  }
  co_return value_at<Values>(first.index(), tasks, std::index_sequence_for<Things...>());
}

/// The value of the first of these things, which have been passed on. An event has none.
template <typename T>
struct ValueOf : std::type_identity<std::monostate> {};
template <typename T>
struct ValueOf<Coroutine<T>> : std::type_identity<Result<T>> {};
template <typename... Things>
using Values = std::variant<typename ValueOf<Things>::type...>;

template <typename... Things>
Coroutine<std::size_t> first_index(std::source_location where, Things... things) {
  const auto first =
      co_await first_value<Values<Things...>>("not the first", where, std::move(things)...);
  co_return first.index();
}

/// The type of any_of(). It is an object because the standard library has a function of that name,
/// which would be found for arguments that have to do with it, such as a `Handle<std::string>`.
struct AnyOf {
  template <Waitable... Things>
  auto operator()(Things&&... things) const {
    static_assert(sizeof...(Things) > 0, "there is nothing to wait for");
    const std::source_location where = std::source_location::current();
    if constexpr ((std::is_same_v<Passed<Things>, Event*> && ...)) {
      const std::array<Event*, sizeof...(Things)> events{passed(std::forward<Things>(things))...};
      return FirstOf<std::array<Wait, sizeof...(Things)>>(events);
    } else if constexpr ((std::is_same_v<typename ValueOf<Passed<Things>>::type, std::monostate> &&
                          ...)) {
      return first_index<Passed<Things>...>(where, passed(std::forward<Things>(things))...);
    } else {
      return first_value<Values<Passed<Things>...>, Passed<Things>...>(
          "not the first", where, passed(std::forward<Things>(things))...);
    }
  }

  template <typename T>
  auto operator()(const std::vector<Handle<T>>& tasks) const {
    if (tasks.empty()) throw std::invalid_argument("any_of: there is nothing to wait for");
    std::vector<Event*> events;
    for (const Handle<T>& task : tasks) events.push_back(&*task);
    return FirstOf<std::vector<Wait>>(events);
  }
};

/// `co_await any_of(first, second, ...)` waits for the first of several events, handles and
/// coroutines, and returns its index. For the tasks of a vector, write any_of(handles), which
/// throws `std::invalid_argument` if the vector is empty.
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
/// Await the result where any_of() is called, because it refers to the arguments.
inline constexpr AnyOf any_of;

template <typename... T>
Coroutine<std::tuple<Result<T>...>> all_results(Coroutine<T>... bodies) {
  Scope scope;
  const std::tuple<Handle<T>...> tasks{scope.spawn(std::move(bodies))...};
  co_await scope.join();
  co_return std::apply(
      [](const Handle<T>&... task) { return std::tuple<Result<T>...>(task.take()...); }, tasks);
}

template <typename T>
Coroutine<std::vector<Result<T>>> all_results(std::vector<Coroutine<T>> bodies) {
  Scope scope;
  std::vector<Handle<T>> tasks;
  for (Coroutine<T>& body : bodies) tasks.push_back(scope.spawn(std::move(body)));
  co_await scope.join();
  std::vector<Result<T>> results;
  for (const Handle<T>& task : tasks) results.push_back(task.take());
  co_return results;
}

/// The type of all_of(), an object for the same reason.
struct AllOf {
  template <typename... T>
  auto operator()(Coroutine<T>... bodies) const {
    return all_results(std::move(bodies)...);
  }
  template <typename T>
  auto operator()(std::vector<Coroutine<T>> bodies) const {
    return all_results(std::move(bodies));
  }
};

/// `auto both = co_await all_of(first(), second());` runs coroutines as tasks of their own and
/// returns a tuple of the results, with `std::monostate` for void. For a vector of coroutines, it
/// returns a vector. If one fails, the others are cancelled, and its error is thrown when all have
/// finished. Unpack the tuple in a statement of its own, because some versions of g++ compile
/// `auto [x, y] = co_await ...` wrongly.
inline constexpr AllOf all_of;

}  // namespace coop
