#pragma once

#include <any>
#include <functional>
#include <memory>
#include <variant>

#include "generator.hpp"

class Scheduler;

/// The number of a task. The first task has the number 1, and no number is used twice.
using TaskId = long long;

/// A request to the scheduler: a function that the scheduler calls with the id of the task that
/// yielded it. That task runs again only if the function schedules it, immediately or later. A
/// function that throws must do so before it schedules.
///
/// Article: "Communicating with the scheduler", class SystemCall.
using SystemCall = std::function<void(TaskId, Scheduler&)>;

/// The value that the scheduler sends into a coroutine: of any type, or empty for no value. Read it
/// with `std::any_cast`.
using Value = std::any;

class Coroutine;

/// Yielded to call another coroutine. When the callee has finished, the yield returns its return
/// value.
///
/// Article: "Stacked coroutines", where a coroutine yields the generator itself.
struct Call {
  std::shared_ptr<Coroutine> callee;  ///< a coroutine that has not run yet
};

/// Yielded to finish the coroutine and to return a value to its caller.
///
/// Article: "Stacked coroutines", class CoroutineReturnValue.
struct ReturnValue {
  Value value;  ///< what the caller's yield returns
};

/// The value that a coroutine yields: nothing, which only ends the turn, a system call, a call of
/// another coroutine, or a return value.
using Yielded = std::variant<Nothing, SystemCall, Call, ReturnValue>;

/// The body of a task, or of a function that a task calls.
///
/// Article: "Cooperative multitasking".
class Coroutine : public Generator<Yielded, Value> {};
