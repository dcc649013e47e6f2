#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include "coroutine.hpp"

/// A coroutine that is a stack of coroutines: the innermost runs, the others wait for their calls
/// to return. To the task it looks like one. Calls and returns take no turn.
///
/// Whatever the depth, a yield costs the same, since only the innermost is resumed. A coroutine
/// that has ended is destroyed before its caller goes on; an abandoned stack is destroyed innermost
/// first.
///
/// An exception that leaves a coroutine is thrown into its caller, at the yield of the call; one
/// that leaves the outermost leaves the stack.
///
/// Article: "Stacked coroutines" and "Error handling", stackedCoroutine().
class StackedCoroutine final : public Coroutine {
 public:
  explicit StackedCoroutine(std::shared_ptr<Coroutine> outermost) { push(std::move(outermost)); }

  ~StackedCoroutine() override {
    while (!stack_.empty()) stack_.pop_back();
  }

  StackedCoroutine(const StackedCoroutine&) = default;
  StackedCoroutine& operator=(const StackedCoroutine&) = delete;

  /// Copies each coroutine of the stack. Throws `std::logic_error` if one of them cannot be copied.
  std::shared_ptr<Coroutine> clone() const override {
    auto copy = std::make_shared<StackedCoroutine>(*this);
    for (std::shared_ptr<Coroutine>& coroutine : copy->stack_) coroutine = coroutine->clone();
    return copy;
  }

 private:
  std::vector<std::shared_ptr<Coroutine>> stack_;
  bool just_called_ = false;  // the innermost has not run yet

  void push(std::shared_ptr<Coroutine> coroutine) {
    if (!coroutine) throw std::invalid_argument("There is no coroutine to call");
    stack_.push_back(std::move(coroutine));
    just_called_ = true;
  }

  std::optional<Yielded> resume(Value sent) override { return run(std::move(sent), nullptr); }

  std::optional<Yielded> resume_with(std::exception_ptr error) override {
    return run(Value(), std::move(error));
  }

  std::optional<Yielded> run(Value sent, std::exception_ptr error) {
    while (!stack_.empty()) {
      std::optional<Yielded> yielded;
      try {
        yielded = step(std::exchange(sent, Value()), std::exchange(error, nullptr));
      } catch (...) {
        error = std::current_exception();  // for its caller
      }
      if (!yielded) {
        stack_.pop_back();
      } else if (auto* const call = std::get_if<Call>(&*yielded)) {
        if (call->coroutine) {
          push(std::move(call->coroutine));
        } else {
          error = std::make_exception_ptr(std::invalid_argument("There is no coroutine to call"));
        }
      } else if (auto* const result = std::get_if<ReturnValue>(&*yielded)) {
        sent = std::move(result->value);
        stack_.pop_back();
      } else {
        return yielded;
      }
    }
    if (error) std::rethrow_exception(error);
    return std::nullopt;
  }

  /// Resumes the innermost coroutine, with a value or with an exception.
  std::optional<Yielded> step(Value sent, std::exception_ptr error) {
    Coroutine& innermost = *stack_.back();
    const bool first = std::exchange(just_called_, false);
    if (error) return std::move(innermost.throw_into(std::move(error)));
    if (first) return std::move(innermost.current());
    return std::move(innermost.send(std::move(sent)));
  }
};

/// `coroutine` with a stack for its calls, unless it has one already.
inline std::shared_ptr<Coroutine> stacked(std::shared_ptr<Coroutine> coroutine) {
  if (std::dynamic_pointer_cast<StackedCoroutine>(coroutine)) return coroutine;
  return std::make_shared<StackedCoroutine>(std::move(coroutine));
}
