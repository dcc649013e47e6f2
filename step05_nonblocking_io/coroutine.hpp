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

/// What a coroutine yields to the scheduler: its turn, or a request.
using Yielded = std::variant<Nothing, SystemCall>;

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
