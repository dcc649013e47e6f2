#pragma once

#include <system_error>
#include <utility>
#include <vector>

#include "coroutine.hpp"

/// What a call gave: a value or an error.
template <typename T>
struct Outcome {
  Outcome(T v, std::error_code e) : value(std::move(v)), error(e) {}
  T value;
  std::error_code error;
};

/// Calls what it is given, once, and keeps what came of it.
template <typename T, typename Returned>
Coroutine<> keep_outcome(Coroutine<Returned> call, std::vector<Outcome<T>>* results) {
  try {
    T value{};
    if constexpr (std::is_void_v<Returned>) {
      co_await std::move(call);
    } else {
      value = co_await std::move(call);
    }
    results->emplace_back(std::move(value), std::error_code());
  } catch (const std::system_error& e) {
    results->emplace_back(T(), e.code());
  }
}

template <typename T, typename Returned>
Coroutine<> calling(Coroutine<Returned> call, std::vector<Outcome<T>>& results) {
  return keep_outcome(std::move(call), &results);
}
