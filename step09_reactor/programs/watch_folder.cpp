#include <filesystem>
#include <fstream>
#include <iostream>

#include "../coop/run.hpp"
#include "../coop/uv/watch.hpp"

using namespace coop;

/// Prints the next change in the folder.
Coroutine<> print_change(Watch* watch) {
  const Change change = co_await watch->next();
  std::cout << change.name << (change.renamed ? " was created or removed.\n" : " was written.\n");
}

Coroutine<> main_task() {
  const std::filesystem::path folder = "watched_folder";
  std::filesystem::create_directory(folder);
  Watch watch(folder);
  std::ofstream file(folder / "notes.txt");
  file.exceptions(std::ios::failbit | std::ios::badbit);  // nothing would change then
  co_await print_change(&watch);
  file << "Something to remember.\n" << std::flush;
  co_await print_change(&watch);
  file.close();
  std::filesystem::remove(folder / "notes.txt");
  co_await print_change(&watch);
  std::filesystem::remove(folder);
}

int main() {
  coop::run(main_task());
}
