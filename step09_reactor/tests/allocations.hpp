#pragma once

#include <cstddef>

/// Counts what the global operators new and delete of the tests, which are in alloc_test.cpp, have
/// done on this thread.
namespace allocations {

/// Returns how often memory was asked for.
std::size_t count();

/// Returns how often memory was given back.
std::size_t given_back();

}  // namespace allocations
