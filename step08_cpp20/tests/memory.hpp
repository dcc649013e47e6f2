#pragma once

/// What the tests' own operator new does; it stands in memory_test.cpp.
namespace memory {

/// Pieces that have not been given back.
extern long living;

/// So many requests are granted from now on, and the next one fails; -1: none fails.
extern long granted;

}  // namespace memory
