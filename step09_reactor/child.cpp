#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "coop/uv/line_reader.hpp"
#include "coop/uv/process.hpp"

using namespace coop;

void say(const char* who, const ExitStatus& end) {
  if (end.signal != 0) {
    std::cout << who << " was ended by signal " << end.signal << ".\n";
  } else {
    std::cout << who << " has ended with exit code " << end.code << ".\n";
  }
}

/// Two pipes: what goes in, comes out.
Coroutine<> talk() {
  const std::vector<std::string> command{"cat"};
  Process child(command, Stdio::pipe, Stdio::pipe);
  LineReader reader(*child.output);
  for (int i = 1; i <= 2; ++i) {
    co_await child.input->write("This is line " + std::to_string(i) + ".\n");
    const std::string line = co_await reader.read_line();
    std::cout << "cat says: " << line;
  }
  child.input->close();
  const ExitStatus end = co_await child.exit();
  say("cat", end);
}

Coroutine<> fail() {
  const std::vector<std::string> command{"sh", "-c", "exit 3"};
  Process child(command);
  const ExitStatus end = co_await child.exit();
  say("sh", end);
}

Coroutine<> kill() {
  const std::vector<std::string> command{"sleep", "1000"};
  Process child(command);
  child.kill(SIGTERM);
  const ExitStatus end = co_await child.exit();
  say("sleep", end);
}

Coroutine<> start_nothing() {
  const std::vector<std::string> command{"no_such_program"};
  try {
    Process child(command);
    co_await child.exit();
  } catch (const UvError& e) {
    std::cout << "Error: " << e.what() << '\n';
  }
}

Coroutine<> program() {
  co_await talk();
  co_await fail();
  co_await kill();
  co_await start_nothing();
}

int main() {
  UvReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(program());
}
