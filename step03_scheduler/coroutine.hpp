#pragma once

#include <any>

#include "generator.hpp"

/// What is sent into a coroutine: anything, or an empty one for nothing. Read it with
/// `std::any_cast`.
using Value = std::any;

/// What a coroutine yields to the scheduler: so far no more than its turn.
using Yielded = Nothing;

/// The body of a task: a generator that the scheduler resumes, turn by turn.
///
/// Article: "Cooperative multitasking".
class Coroutine : public Generator<Yielded, Value> {};
