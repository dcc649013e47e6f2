#include <csignal>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "arguments.hpp"
#include "coop/uv/file.hpp"
#include "coop/uv/signal.hpp"
#include "coop/uv/watch.hpp"

using namespace coop;

/// The last lines of a text, at most so many. The very last may have no newline.
std::string last_lines(std::string text, int lines) {
  std::size_t begin = text.size();
  while (begin > 0) {
    const bool at_line = begin < text.size() && text[begin - 1] == '\n';
    if (at_line && --lines == 0) break;
    --begin;
  }
  return text.substr(begin);
}

/// The first lines of a text, at most so many; takes from `lines` what it gives.
std::string first_lines(std::string text, int* lines) {
  std::size_t end = 0;
  while (*lines > 0 && end < text.size()) {
    if (text[end++] == '\n') --*lines;
  }
  return text.substr(0, end);
}

/// Writes the last ten lines of a file, and then what it grows by, until that were so many lines.
/// That it gets shorter, or that another file takes its name, is not noticed.
Coroutine<> follow(std::string path, int lines) {
  Watch watch(path);  // from now on, so that nothing is missed between reading and waiting
  const std::unique_ptr<File> file = co_await open_file(path);
  const std::unique_ptr<Io> out = open_descriptor(1);
  std::string text, piece;
  do {
    piece = co_await file->read();
    text = last_lines(text + piece, 10);
  } while (!piece.empty());
  while (true) {
    co_await out->write(first_lines(text, &lines));
    if (lines == 0) co_return;
    text = co_await file->read();
    if (text.empty()) {
      co_await watch.next();
    }
  }
}

/// Runs it until it has ended, or until somebody presses Ctrl-C.
Coroutine<> until_interrupted(Coroutine<> body) {
  const Handle<void> task = spawn(std::move(body));
  Signal interrupt(SIGINT);
  const std::size_t which = co_await wait_any(*task, interrupt);
  if (which == 1) task->cancel();
  try {
    co_await task;
  } catch (const Cancelled&) {
  }
}

int main(int argc, char** argv) {
  int lines = 2147483647;
  const bool limited = argc == 4 && std::string(argv[1]) == "--lines";
  const bool right = limited ? read_number(argv[2], 1, lines, lines) : argc == 2;
  if (!right || argv[argc - 1][0] == '-') {
    std::cerr << "usage: tail [--lines N] FILE\n";
    return 2;
  }
  try {
    UvReactor reactor;
    Scheduler scheduler(reactor);
    scheduler.run(until_interrupted(follow(argv[argc - 1], lines)));
  } catch (const UvError& e) {
    std::cerr << "tail: " << e.what() << '\n';
    return 1;
  }
}
