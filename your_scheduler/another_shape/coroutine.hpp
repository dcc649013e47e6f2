#pragma once

// A solution of the stages in another shape than ours: all that a task yields, up to m11.

#include <any>
#include <functional>
#include <memory>
#include <variant>

#include "generator.hpp"

class Scheduler;
class Coroutine;
using TaskId = long long;
using SystemCall = std::function<void(TaskId, Scheduler&)>;
using Value = std::any;

struct Call {
  std::shared_ptr<Coroutine> body;
};
struct ReturnValue {
  Value result;
};
using Yielded = std::variant<Nothing, Call, ReturnValue, SystemCall>;

class Coroutine : public Generator<Yielded, Value> {};
