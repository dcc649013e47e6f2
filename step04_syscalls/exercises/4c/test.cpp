#include <any_catch2.hpp>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "program.cpp"

namespace {

/// Returns what a shell prints that runs these commands.
std::string printed(const std::vector<std::string>& commands) {
  std::ostringstream text;
  std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Shell>(commands));
  scheduler.run();
  std::cout.rdbuf(before);
  return text.str();
}

/// Returns what a command prints.
std::string command(const std::string& name, int id) {
  const std::string line = "Task " + std::to_string(id) + ": " + name + ", line ";
  return "$ " + name + '\n' + line + "1 of 2.\n" + line + "2 of 2.\n";
}

}  // namespace

TEST_CASE("a shell without commands finishes") {
  REQUIRE(printed({}) == "The shell finishes.\n");
}

TEST_CASE("a shell runs any number of commands, one after the other") {
  REQUIRE(printed({"ls"}) == command("ls", 2) + "The shell finishes.\n");
  REQUIRE(printed({"ps", "cat", "wc"}) ==
          command("ps", 2) + command("cat", 3) + command("wc", 4) + "The shell finishes.\n");
}
