#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "child_process.hpp"
#include "compare.hpp"
#include "step.hpp"

// Runs random programs on the scheduler of a step, and holds it to the model.

namespace {

/// The first seed of them that makes trouble alone, or begins it.
unsigned culprit(unsigned seed, unsigned count) {
  while (count > 1) {
    const unsigned half = count / 2;
    if (trouble_of([&] { return agree(seed, half); }, Stderr::quiet).empty()) {
      seed += half;
      count -= half;
    } else {
      count = half;
    }
  }
  return seed;
}

/// Says how the program goes, and gives the exit status.
int show(const Program& program) {
  std::cout << '\n' << text_of(program) << '\n';
  const auto print = [&] {
    print_traces(program);
    return agree(program);
  };
  const std::string trouble = trouble_of(print, Stderr::loud);
  std::cout << (trouble.empty() ? "They agree." : "They do not agree: " + trouble) << '\n';
  return trouble.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

int try_programs(unsigned seed, unsigned count) {
  const std::string trouble = trouble_of([&] { return agree(seed, count); }, Stderr::quiet);
  if (trouble.empty()) {
    std::cout << step.name << ": " << count << " programs go as the model says\n";
    return EXIT_SUCCESS;
  }
  const unsigned found = culprit(seed, count);
  std::cout << step.name << ": seed " << found << " does not go as the model says; shrunk:\n";
  show(shrunk(program_of(found)));
  return EXIT_FAILURE;
}

/// Throws `std::runtime_error` if this step cannot run it.
void check(const Program& program) {
  const std::vector<Op>& known = step.operations;
  for (const Body& body : program.bodies) {
    for (const Statement& statement : body) {
      if (std::find(known.begin(), known.end(), statement.op) == known.end())
        throw std::runtime_error(step.name + (" cannot do: " + text_of(statement)));
    }
  }
  if (program.order != 0 && !step.any_order)
    throw std::runtime_error(step.name + std::string(" has one order of turns"));
}

int show_file(const std::string& path) {
  std::ifstream file(path);
  const Program program = read_program(file);
  check(program);
  return show(program);
}

int usage() {
  std::cerr << "usage: [COUNT [SEED]]      so many random programs, from that seed on\n"
               "       --program FILE      this one\n";
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && argv[1] == std::string("--program")) return show_file(argv[2]);
    if (argc > 3) return usage();
    const unsigned long count = argc > 1 ? std::stoul(argv[1]) : 100'000;
    const unsigned long seed = argc > 2 ? std::stoul(argv[2]) : 1;
    return try_programs(static_cast<unsigned>(seed), static_cast<unsigned>(count));
  } catch (const std::runtime_error& e) {
    std::cerr << e.what() << '\n';
    return 2;
  } catch (const std::logic_error&) {  // no number
    return usage();
  }
}
