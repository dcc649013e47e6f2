#pragma once

#include <cstddef>

/// What the tests' own global operator new does on this thread; it stands in alloc_test.cpp.
namespace allocations {

/// How many there have been.
std::size_t count();

/// The `n`-th from now on fails, and every one behind it, too, if `all` says so. 0: none.
void fail_at(std::size_t n, bool all = false);

/// Have as many been asked for that one has failed?
bool failed();

}  // namespace allocations
