#pragma once

#include <any>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "coroutine.hpp"
#include "socket.hpp"

/// What a call gave: a value or an error.
template <typename T>
using Outcome = Result<T>;

/// Calls what it is given, once, and keeps what came of it.
template <typename T>
class Calling final : public Coroutine {
 public:
  Calling(Call call, std::vector<Outcome<T>>& results)
      : call_(std::move(call)), results_(results) {}

 private:
  Call call_;
  std::vector<Outcome<T>>& results_;

  std::optional<Yielded> resume(Value sent) override {
    if (call_.coroutine) return std::exchange(call_, Call{});
    Outcome<T> outcome;
    if (auto* const result = std::any_cast<Result<T>>(&sent)) outcome = std::move(*result);
    if (auto* const error = std::any_cast<std::error_code>(&sent)) outcome.error = *error;
    results_.push_back(std::move(outcome));
    return std::nullopt;
  }
};

template <typename T>
std::shared_ptr<Coroutine> calling(Call call, std::vector<Outcome<T>>& results) {
  return std::make_shared<Calling<T>>(std::move(call), results);
}
