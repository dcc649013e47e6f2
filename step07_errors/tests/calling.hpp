#pragma once

#include <any>
#include <exception>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "coroutine.hpp"

/// What a call gave: a value or an error.
template <typename T>
struct Outcome {
  T value{};
  std::error_code error{};
};

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
    results_.push_back({sent.has_value() ? std::any_cast<T>(std::move(sent)) : T(), {}});
    return std::nullopt;
  }

  std::optional<Yielded> resume_with(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::system_error& e) {
      results_.push_back({T(), e.code()});
    }
    return std::nullopt;
  }
};

template <typename T>
std::shared_ptr<Coroutine> calling(Call call, std::vector<Outcome<T>>& results) {
  return std::make_shared<Calling<T>>(std::move(call), results);
}
