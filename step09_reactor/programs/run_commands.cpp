#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "../coop/for_each.hpp"
#include "../coop/run.hpp"
#include "../coop/uv/command.hpp"

using namespace coop;

using Reports = std::map<std::string, std::string>;

/// Runs a shell command, and stores its output and its end.
Coroutine<> run_one(std::string command, Reports* reports) {
  const Finished finished = co_await run_command(command);
  const ExitStatus status = finished.status;
  (*reports)[command] = finished.out + finished.err + "exit code " + std::to_string(status.code) +
                        ", signal " + std::to_string(status.signal) + '\n';
}

/// Runs four commands, at most two at a time.
Coroutine<> main_task() {
  const std::vector<std::string> commands{"echo hello", "echo oops >&2", "exit 3",
                                          "echo killed; kill -KILL $$"};
  Reports reports;
  const auto run_this = [&](const std::string& command) { return run_one(command, &reports); };
  co_await for_each(commands, run_this, 2);
  for (const std::string& command : commands) {
    std::cout << "$ " << command << '\n' << reports[command];
  }
}

int main() {
  coop::run(main_task());
}
