#include <iostream>
#include <string>
#include <vector>

#include "../coop/run.hpp"
#include "../coop/uv/process.hpp"

using namespace coop;

/// Lets the command `sort` sort three words. Two pipes lead to it and from it.
Coroutine<> main_task() {
  const std::vector<std::string> command{"sort"};
  Process sort(command, Stdio::pipe, Stdio::pipe);
  co_await sort.input.write("pear\napple\nfig\n");
  sort.input.close();
  BufferedReader lines(sort.output);
  while (true) {
    const std::string line = co_await lines.read_line();
    if (line.empty()) break;  // the end of the output
    std::cout << line;
  }
  const ExitStatus status = co_await sort.exit();
  std::cout << "The exit code of sort is " << status.code << ".\n";
}

int main() {
  coop::run(main_task());
}
