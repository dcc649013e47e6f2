#pragma once

#include <cstdint>
#include <string_view>

/// Runs n tasks of step 9 that wait and end in one of the ways of the file `table`.
void run_tasks(std::string_view wait, std::string_view end, std::int64_t n);
