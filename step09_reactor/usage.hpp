#pragma once

#include <iostream>
#include <string>

/// What a program does with a command line that it was not made for: `--help` prints how to call
/// it and gives exit status 0; anything else prints the same to stderr and gives 2.
inline int usage(char** argv, const std::string& synopsis) {
  const bool help = argv[1] != nullptr && std::string(argv[1]) == "--help";
  if (help) {
    std::cout << "usage: " << synopsis << '\n';
  } else {
    std::cerr << "wrong command line; usage: " << synopsis << '\n';
  }
  return help ? 0 : 2;
}
