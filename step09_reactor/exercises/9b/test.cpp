#include <any_catch2.hpp>
#include <iostream>
#include <sstream>
#include <string>

#include "program.cpp"

namespace {

/// Searches in two places, and stores how many turns all tasks have had.
Coroutine<> count_turns(int turns_in_attic, int turns_in_cellar, int* turns) {
  try {
    co_await search_both(turns_in_attic, turns_in_cellar);
  } catch (const Cancelled&) {
    std::cout << "search_both() throws Cancelled\n";
  }
  *turns = static_cast<int>(Scheduler::current().turns());
}

/// Searches in two places. Counts the lines of the search in the attic, of the search in the
/// cellar, and the turns, and keeps all other lines.
struct Printed {
  Printed(int turns_in_attic, int turns_in_cellar) {
    std::stringstream text;
    std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
    coop::run(count_turns(turns_in_attic, turns_in_cellar, &turns));
    std::cout.rdbuf(before);
    for (std::string line; std::getline(text, line);) {
      if (line == "searching in the attic") {
        ++attic;
      } else if (line == "searching in the cellar") {
        ++cellar;
      } else {
        others += line + '\n';
      }
    }
  }

  int attic = 0;
  int cellar = 0;
  int turns = 0;
  std::string others;
};

}  // namespace

TEST_CASE("only the first answer is printed") {
  REQUIRE(Printed(3, 30).others == "found in the attic\n");
  REQUIRE(Printed(30, 3).others == "found in the cellar\n");
  REQUIRE(Printed(30, 0).others == "found in the cellar\n");
}

TEST_CASE("the quick search searches to its end, and the slow one is cancelled") {
  const Printed attic(3, 30);
  REQUIRE(attic.attic == 3);
  REQUIRE(attic.cellar < 15);
  const Printed cellar(30, 4);
  REQUIRE(cellar.cellar == 4);
  REQUIRE(cellar.attic < 15);
}

TEST_CASE("search_both() takes only few turns while both search") {
  const Printed printed(1000, 2000);
  REQUIRE(printed.attic == 1000);
  REQUIRE(printed.turns - printed.attic - printed.cellar < 100);
}
