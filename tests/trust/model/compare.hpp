#pragma once

#include <string>

#include "program.hpp"

// The model and the step, side by side.

/// The program of that seed, for this step.
Program program_of(unsigned seed);

/// Do so many programs, from that seed on, go as the model says?
bool agree(unsigned seed, unsigned count);
bool agree(const Program& program);

/// The smallest program that goes wrong in the same way, as far as changes one by one lead.
Program shrunk(Program program);

/// Both traces, to the first difference.
void print_traces(const Program& program);
