#pragma once

#include <cstddef>

/// What the tests' own global operator new and delete do on this thread; they stand in
/// alloc_test.cpp.
namespace allocations {

/// How many there have been.
std::size_t count();

/// How often memory was given back.
std::size_t given_back();

/// The `n`-th from now on fails, and every one behind it, too, if `all` says so. 0: none.
void fail_at(std::size_t n, bool all = false);

/// Have as many been asked for that one has failed?
bool failed();

}  // namespace allocations
