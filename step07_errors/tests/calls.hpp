#pragma once

#include <string>
#include <utility>
#include <vector>

#include "script.hpp"

/// A call of a script.
inline Call call(std::vector<Script::Step> steps) {
  return Call{script(std::move(steps))};
}

/// A text as the return value of a coroutine.
inline ReturnValue result(std::string text) {
  return ReturnValue{std::move(text)};
}
