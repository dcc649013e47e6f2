#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "core/first_value.hpp"

namespace coop::detail {

template <typename... T>
Coroutine<std::tuple<Result<T>...>> all_results(std::source_location where,
                                                Coroutine<T>... bodies) {
  Scope scope;
  const std::tuple<Handle<T>...> tasks{scope.spawn(std::move(bodies), where)...};
  co_await scope.join(where);
  co_return std::apply(
      [](const Handle<T>&... task) { return std::tuple<Result<T>...>(take(task)...); }, tasks);
}

template <typename T>
Coroutine<std::vector<Result<T>>> all_results(std::source_location where,
                                              std::vector<Coroutine<T>> bodies) {
  Scope scope;
  const std::vector<Handle<T>> tasks = all_started(scope, bodies, where);
  co_await scope.join(where);
  std::vector<Result<T>> results;
  for (const Handle<T>& task : tasks) results.push_back(take(task));
  co_return results;
}

template <typename... Things>
using AllOf = decltype(all_results({}, std::declval<Things>()...));

}  // namespace coop::detail

namespace coop {

/// `auto both = co_await all_of(first(), second());` runs coroutines as tasks of their own and
/// returns a tuple of the results, with `std::monostate` for void. For a vector of coroutines, it
/// returns a vector. If one fails, the others are cancelled, and its error is thrown when all have
/// finished. Unpack the tuple in a statement of its own, because some versions of g++ compile
/// `auto [x, y] = co_await ...` wrongly.
///
/// It is a class for the same reasons as any_of.
template <typename... Things>
class all_of : public detail::AllOf<Things...> {
 public:
  /// `things` are coroutines, or one vector of them.
  explicit all_of(Things... things,
                  const std::source_location& where = std::source_location::current())
      : detail::AllOf<Things...>(detail::all_results(where, std::move(things)...)) {}
};
/// So that `all_of(first(), second())` needs no types.
template <typename... Things>
all_of(Things...) -> all_of<Things...>;

}  // namespace coop
