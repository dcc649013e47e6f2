#pragma once

#include <vector>

#include "model.hpp"

/// A step of the course, as the model sees it.
struct Step {
  const char* name;
  Rules rules;
  std::vector<Op> operations;
  bool any_order;  ///< tests can choose who has the next turn
};

extern const Step step;

/// Runs the program on the step's own scheduler, until that is gone.
void run(const Program& program, Trace& trace);
