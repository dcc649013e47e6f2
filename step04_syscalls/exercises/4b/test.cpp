#include <algorithm>
#include <any_catch2.hpp>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "program.cpp"

namespace {

using Strings = std::vector<std::string>;

/// Runs a shell as task 1, and counts its copies, which are marked as started before their first
/// turn.
class Watched final : public Coroutine {
 public:
  Watched(std::shared_ptr<Coroutine> shell, int& copies)
      : shell_(std::move(shell)), copies_(copies) {}

 private:
  std::shared_ptr<Coroutine> shell_;
  int& copies_;
  bool started_ = false;

  std::optional<Yielded> resume(Value sent) override {
    if (std::exchange(started_, true)) shell_->send(std::move(sent));
    const std::optional<Yielded> yielded = shell_->take();
    if (!yielded || !std::holds_alternative<SystemCall>(*yielded)) return yielded;
    return SystemCall([call = std::get<SystemCall>(*yielded), &copies = copies_](
                          TaskId asker, Scheduler& scheduler) {
      const TaskId next = copies + 2;
      const bool is_new = !scheduler.find(next);
      call(asker, scheduler);
      const Task* const task = scheduler.find(next);
      if (is_new && task && task->started) ++copies;
    });
  }
};

/// Returns what the tasks print.
std::string printed(Scheduler& scheduler) {
  std::ostringstream text;
  std::streambuf* const before = std::cout.rdbuf(text.rdbuf());
  scheduler.run();
  std::cout.rdbuf(before);
  return text.str();
}

/// Returns what a shell prints that runs these commands.
std::string printed(const Strings& commands) {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Shell>(commands));
  return printed(scheduler);
}

/// Returns the lines in alphabetical order, without the numbers of the tasks.
Strings sorted_lines(const std::string& text) {
  Strings lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line.substr(0, 5) == "Task " ? line.substr(line.find(':') + 2) : line);
  std::sort(lines.begin(), lines.end());
  return lines;
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

TEST_CASE("a shell is copied once for each command") {
  int copies = 0;
  Scheduler scheduler;
  auto shell = std::make_shared<Shell>(Strings{"ps", "cat", "wc"});
  scheduler.new_task(std::make_shared<Watched>(std::move(shell), copies));
  REQUIRE(printed(scheduler) ==
          command("ps", 2) + command("cat", 3) + command("wc", 4) + "The shell finishes.\n");
  REQUIRE(copies == 3);
}

TEST_CASE("two shells run their own commands at the same time") {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Shell>(Strings{"ls"}));
  scheduler.new_task(std::make_shared<Shell>(Strings{"ps", "wc"}));
  REQUIRE(sorted_lines(printed(scheduler)) ==
          Strings{"$ ls", "$ ps", "$ wc", "The shell finishes.", "The shell finishes.",
                  "ls, line 1 of 2.", "ls, line 2 of 2.", "ps, line 1 of 2.", "ps, line 2 of 2.",
                  "wc, line 1 of 2.", "wc, line 2 of 2."});
}
