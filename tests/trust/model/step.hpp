#pragma once

#include <vector>

#include "model.hpp"

/// A step that the model describes.
struct Step {
  const char* name;
  Rules rules;
  std::vector<Op> operations;
};

extern const Step step;

/// Runs a program on the scheduler of the step, and destroys the scheduler.
void run(const Program& program, Trace& trace);
