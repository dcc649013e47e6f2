// Checks that a task of step 9 needs as many steps among 100 000 tasks as among 1000, for each row
// of benchmarks/growth/table, the path of which is the argument. A step is a part of the code
// without a branch: the compiler calls a function in each of them, so no clock is needed. What the
// standard library does in its own binary, such as memmove(), isn't counted.

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "growth/ways.hpp"

namespace {

std::uint64_t steps = 0;

double steps_of_one(const std::string& wait, const std::string& end, std::int64_t tasks) {
  steps = 0;
  run_tasks(wait, end, tasks);
  return static_cast<double>(steps) / static_cast<double>(tasks);
}

/// Prints a row. Returns false if the number of steps grows.
bool is_linear(const std::string& name, const std::string& wait, const std::string& end) {
  std::printf("%-42s", name.c_str());
  double first = 0;
  for (const std::int64_t tasks : {1000, 10'000, 100'000}) {
    const double each = steps_of_one(wait, end, tasks);
    std::printf("%9.1f", each);
    std::fflush(stdout);
    if (first == 0) first = each;
    if (each > 2 * first) {  // timers are in a tree, which grows with the logarithm
      std::puts("  grows");
      return false;
    }
  }
  std::puts("");
  return true;
}

}  // namespace

/// Is called by the code that is checked, at each of its steps.
extern "C" void __sanitizer_cov_trace_pc() {
  ++steps;
}

int main(int, char** argv) {
  std::ifstream table(argv[1]);
  std::string line, kind, name, wait, end;
  int ways = 0;
  bool linear = true;
  std::printf("%-42s%9s%9s%9s\n", "steps of a task, among this many", "1 000", "10 000", "100 000");
  while (std::getline(table, line)) {
    std::istringstream cells(line);
    std::getline(std::getline(cells, kind, '|'), name, '|') >> wait >> end;
    if (kind != "row ") continue;
    linear = is_linear(name, wait, end) && linear;
    ++ways;
  }
  return linear && ways > 0 ? 0 : 1;
}
