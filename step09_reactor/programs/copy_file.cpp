#include <filesystem>
#include <iostream>
#include <string>

#include "../coop/run.hpp"
#include "../coop/uv/file.hpp"

using namespace coop;

/// Writes a text into a new file.
Coroutine<> write_file(std::string path, std::string text) {
  File file = co_await open_file(path, O_WRONLY | O_CREAT | O_TRUNC);
  co_await file.write(text);
}

/// Copies a file, piece by piece. The two files are closed by their destructors.
Coroutine<> copy_file(std::string from, std::string to) {
  File source = co_await open_file(from);
  File target = co_await open_file(to, O_WRONLY | O_CREAT | O_TRUNC);
  while (true) {
    const std::string piece = co_await source.read();
    if (piece.empty()) break;  // the end of the file
    co_await target.write(piece);
  }
}

Coroutine<> main_task() {
  co_await write_file("original.txt", "This text was written once and read twice.\n");
  co_await copy_file("original.txt", "copy.txt");
  File copy = co_await open_file("copy.txt");
  const std::string text = co_await copy.read();
  std::cout << "The copy: " << text;
  std::filesystem::remove("original.txt");
  std::filesystem::remove("copy.txt");
}

int main() {
  coop::run(main_task());
}
