#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>

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

int show_file(const std::string& path) {
  std::ifstream file(path);
  return show(read_program(file));
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
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return usage();
  }
}
