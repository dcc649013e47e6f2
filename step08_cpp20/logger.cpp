#include <fstream>
#include <string>

#include "generator.hpp"

/// Appends every string that it receives to a file. Article: "Coroutines", logger().
Generator<Nothing, std::string> logger(std::string file_name) {
  std::ofstream file(file_name, std::ios::app);
  while (true) {
    const std::string line = co_yield nothing;
    file << line << std::endl;
  }
}

int main(int argc, char** argv) {
  Generator<Nothing, std::string> log = logger(argc > 1 ? argv[1] : "log");
  log.send("Foo");
  log.send("Bar");
}
