#include <algorithm>
#include <cstddef>
#include <iostream>
#include <memory>
#include <ranges>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "coop/for_each.hpp"
#include "coop/uv/line_reader.hpp"
#include "coop/uv/run.hpp"

using namespace coop;

/// A command, and what it has written once it has ended.
struct Job {
  explicit Job(std::string c) : command(std::move(c)) {}

  std::string command;
  std::string out, err;
  bool has_ended = false;
};

struct Jobs {
  std::vector<Job> all;
  std::size_t ended = 0, written = 0, failed = 0;
};

/// Writes what the commands have written, in their order: as far as there is no gap.
void write_outputs(Jobs& jobs) {
  for (; jobs.written < jobs.all.size() && jobs.all[jobs.written].has_ended; ++jobs.written) {
    const Job job = std::move(jobs.all[jobs.written]);
    std::cout << job.out << std::flush;
    std::cerr << job.err;
  }
}

std::string words_for(const ExitStatus& end) {
  if (end.signal != 0) return "signal " + std::to_string(end.signal);
  return end.code == 0 ? "done" : "exit code " + std::to_string(end.code);
}

/// Runs one of them, and writes a line of progress when it has ended.
Coroutine<> run(Jobs* jobs, std::size_t index) {
  Job& job = jobs->all[index];
  std::string end;
  try {
    Finished finished = co_await run_command(job.command);
    end = words_for(finished.status);
    if (!finished.status.is_success()) ++jobs->failed;
    job.out = std::move(finished.out);
    job.err = std::move(finished.err);
  } catch (const UvError& e) {
    end = e.what();
    ++jobs->failed;
  }
  job.has_ended = true;
  std::cerr << ++jobs->ended << " of " << jobs->all.size() << ": " << job.command << ": " << end
            << '\n';
  write_outputs(*jobs);
}

/// The lines of the standard input are the commands.
Coroutine<> run_many(Jobs* jobs, int at_most) {
  const std::unique_ptr<Io> input = open_descriptor(0);
  LineReader reader(*input);
  while (true) {
    std::string line = co_await reader.read_line();
    if (line.empty()) break;
    if (line.back() == '\n') line.pop_back();
    if (!line.empty()) jobs->all.emplace_back(std::move(line));
  }
  const auto run_one = [jobs](std::size_t index) { return run(jobs, index); };
  const auto indices = std::views::iota(std::size_t{0}, jobs->all.size());
  co_await for_each(indices, run_one, static_cast<std::size_t>(at_most));
}

int main(int argc, char** argv) {
  int at_most = static_cast<int>(std::thread::hardware_concurrency());
  const bool limited = argc == 3 && std::string(argv[1]) == "--jobs";
  if (limited ? !read_number(argv[2], 1, 1000, at_most) : argc > 1) {
    std::cerr << "usage: run_many [--jobs N] <COMMANDS\n";
    return 2;
  }
  Jobs jobs;
  try {
    UvReactor reactor;
    Scheduler scheduler(reactor);
    scheduler.run(run_many(&jobs, std::max(at_most, 1)));
  } catch (const UvError& e) {
    std::cerr << "run_many: " << e.what() << '\n';
    return 1;
  }
  return jobs.failed > 0 ? 1 : 0;
}
