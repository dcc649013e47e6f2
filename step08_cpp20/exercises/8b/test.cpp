#include <any_catch2.hpp>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>

#include "program.cpp"

namespace {

/// Runs a task. Returns what it prints.
std::string printed(Coroutine<> coroutine) {
  std::ostringstream text;
  std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
  Scheduler scheduler;
  scheduler.new_task(std::move(coroutine));
  scheduler.run();
  std::cout.rdbuf(before);
  return text.str();
}

Coroutine<> store_lines(int times, int* lines) {
  *lines = co_await echo_times("x", times);
}

}  // namespace

TEST_CASE("echo_times returns the number of lines that it has printed") {
  int lines = -1;
  REQUIRE(printed(store_lines(3, &lines)) == "x iteration 1\nx iteration 2\nx iteration 3\n");
  REQUIRE(lines == 3);
  REQUIRE(printed(store_lines(0, &lines)).empty());
  REQUIRE(lines == 0);
}

TEST_CASE("the task prints the numbers that its calls return") {
  REQUIRE(printed(task(1, 2)) ==
          "foo iteration 1\n1 lines\n---\nbar iteration 1\nbar iteration 2\n2 lines\n");
}
