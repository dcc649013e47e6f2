#pragma once

#include <any>
#include <memory>
#include <stdexcept>
#include <variant>

#include "generator.hpp"
#include "system_call.hpp"

/// What is sent into a coroutine: anything, or an empty one for nothing. Read it with
/// `std::any_cast`.
using Value = std::any;

class Coroutine;

/// Yielded to call another coroutine. The caller goes on when that one has ended; the result of the
/// yield is what it returned, or nothing.
///
/// Article: "Stacked coroutines", where a yielded generator is a call.
struct Call {
  std::shared_ptr<Coroutine> coroutine;
};

/// Yielded to end, and to return a value to the caller. Nothing after it runs.
///
/// Article: "Stacked coroutines", class CoroutineReturnValue.
struct ReturnValue {
  Value value;
};

/// What a coroutine yields: its turn, a request to the scheduler, a call, or its own end.
using Yielded = std::variant<Nothing, SystemCall, Call, ReturnValue>;

/// The body of a task: a generator that the scheduler resumes, turn by turn.
///
/// Article: "Cooperative multitasking".
class Coroutine : public Generator<Yielded, Value> {
 public:
  /// A second body that stands where this one stands, with a copy of its locals; what those locals
  /// point to is shared. A body that allows it overrides this with
  /// `return std::make_shared<Body>(*this);`. Throws `std::logic_error` where a body does not.
  ///
  /// Article: "Communicating with the scheduler", on fork. PHP itself dropped this.
  virtual std::shared_ptr<Coroutine> clone() const {
    throw std::logic_error("This coroutine cannot be copied");
  }
};
