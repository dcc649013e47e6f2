// Threads that take turns: each one waits for its own semaphore and then releases the next one's.

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <deque>
#include <future>
#include <semaphore>
#include <vector>

#include "resident.hpp"

namespace {

struct Run {
  std::deque<std::binary_semaphore> turns;  // a deque, because semaphores can't be moved
  std::int64_t done = 0;
  bool over = false;
};

/// Ends its turn and waits for the next one.
void yield(Run& run, std::size_t own) {
  ++run.done;
  run.turns[(own + 1) % run.turns.size()].release();
  run.turns[own].acquire();
}

void yields(Run* run, std::size_t own) {
  run->turns[own].acquire();
  while (!run->over) yield(*run, own);
  if (own + 1 < run->turns.size()) run->turns[own + 1].release();  // so that it ends, too
}

double processor_time() {
  return 1e9 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// The first thread is this one: between two turns of its own, each has had one. More than 1000
/// threads would need too much memory, so the memory of each of these 1000 is printed as that of
/// 100 000.
bool measure(std::size_t threads) {
  Run run;
  for (std::size_t i = 0; i < threads; ++i) run.turns.emplace_back(0);
  const double before = resident_bytes();
  std::vector<std::future<void>> others;
  for (std::size_t i = 1; i < threads; ++i) {
    others.push_back(std::async(std::launch::async, yields, &run, i));
  }
  yield(run, 0);
  const double bytes = (resident_bytes() - before) / static_cast<double>(threads);

  const std::size_t rounds = 40'000 / threads;
  const std::int64_t done = run.done;
  const double start = processor_time();
  for (std::size_t i = 0; i < rounds; ++i) yield(run, 0);
  const double used = processor_time() - start;
  const auto switches = static_cast<double>(run.done - done);
  run.over = true;
  run.turns[1].release();

  std::printf(R"({"name": "yield/%zu", "cpu_time": %.1f, "time_unit": "ns"},)", threads,
              used / switches);
  if (threads == 1000) std::printf(R"({"name": "yield/100000", "bytes_a_task": %.0f}]})", bytes);
  return run.done == static_cast<std::int64_t>((rounds + 1) * threads);
}

}  // namespace

int main() {
  std::puts(R"({"benchmarks": [)");
  const bool all_had_their_turns = measure(2) && measure(1000);
  return all_had_their_turns ? 0 : 1;
}
