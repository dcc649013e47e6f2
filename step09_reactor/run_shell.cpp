#include <iostream>
#include <string>

#include "coop/uv/run.hpp"

using namespace coop;

/// Runs it, and says all that is known about it then.
Coroutine<> show(std::string command) {
  const Finished finished = co_await run_command(command);
  std::cout << "$ " << command << '\n';
  if (!finished.out.empty()) std::cout << "  output: " << finished.out;
  if (!finished.err.empty()) std::cout << "  errors: " << finished.err;
  if (finished.status.signal != 0) {
    std::cout << "  signal: " << finished.status.signal << '\n';
  } else {
    std::cout << "  exit code: " << finished.status.code << '\n';
  }
}

Coroutine<> program() {
  co_await show("echo hello");
  co_await show("echo one; echo two >&2; exit 3");
  co_await show("echo nearly there; kill -KILL $$");
  co_await show("no_such_command 2>/dev/null");
}

int main() {
  UvReactor reactor;
  Scheduler scheduler(reactor);
  scheduler.run(program());
}
