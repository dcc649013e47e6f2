#pragma once

// Catch2 as the system has it: Debian 12 packages version 2, Debian 13 version 3. CMake says which
// one it found; both can be on one machine.
#if CATCH2_MAJOR >= 3
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
