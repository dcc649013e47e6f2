#include <cerrno>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <system_error>

#include "generator.hpp"

/// Appends each string that it is sent to a file, as a line. Article: "Coroutines", logger().
Generator<Nothing, std::string> logger(std::string name) {
  std::ofstream file(name, std::ios::app);
  while (true) {
    const std::string line = co_yield nothing;
    file << line << std::endl;
    if (!file) throw std::system_error(errno, std::generic_category(), name);
  }
}

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: logger FILE\n";
    return 2;
  }
  try {
    Generator<Nothing, std::string> log = logger(argv[1]);
    log.send("Foo");
    log.send("Bar");
  } catch (const std::exception& error) {
    std::cerr << "logger: cannot write to " << error.what() << '\n';
    return 1;
  }
}
