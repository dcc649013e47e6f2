#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "scope.hpp"

namespace coop {

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

/// The type of all_of(), an object for the same reason as AnyOf.
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
