#include <random>
#include <string>

#include "scenario.hpp"

using namespace coop;

// A program that does a bit of everything is stopped after each number of turns, and then torn down
// in every way there is. Nothing may be left, and AddressSanitizer must find nothing.

namespace {

/// The scenario, after so many turns.
struct Run {
  explicit Run(std::uint64_t turns) {
    scheduler.on_deadlock([](const std::string&) {});
    scheduler.on_unhandled([](const std::exception_ptr&) {});
    scheduler.spawn(scenario::main(&in));
    stopped = run_turns(scheduler, turns);
  }

  FakeReactor reactor;
  Scenario in;
  Scheduler scheduler{reactor};
  bool stopped = false;
};

/// Does `then` to a new run for each number of turns, and once more at the end.
template <typename Then>
void after_each_turn(Then then) {
  std::uint64_t turns = 0;
  for (bool stopped = true; stopped; ++turns) {
    INFO("after " << turns << " turns");
    const NothingLeft nothing_left;
    Run run(turns);
    stopped = run.stopped;
    then(run);
    if (!stopped) REQUIRE(scenario::is_complete(run.in));
  }
  REQUIRE(turns > 30);
}

/// The ids of those that live.
std::vector<TaskId> living(const Scheduler& scheduler) {
  std::vector<TaskId> ids;
  for (TaskId id = 1; id < 40; ++id) {
    try {
      ids.push_back(scheduler.task(id).id());
    } catch (const std::invalid_argument&) {
      continue;
    }
  }
  return ids;
}

}  // namespace

TEST_CASE("a scheduler can be destroyed after any number of turns", "[step09]") {
  after_each_turn([](Run&) {});
}

TEST_CASE("each task can be cancelled after any number of turns", "[step09]") {
  for (std::size_t victim = 0; victim < 9; ++victim) {
    after_each_turn([victim](Run& run) {
      const std::vector<TaskId> ids = living(run.scheduler);
      if (victim < ids.size()) run.scheduler.task(ids[victim]).cancel();
      // A deadlock it may be: some wait for what the victim should have done.
      try {
        run.scheduler.run();
      } catch (const Deadlock&) {
        REQUIRE(victim < ids.size());
      }
      REQUIRE(living(run.scheduler).empty());
      REQUIRE_FALSE(run.reactor.active());
    });
  }
}

TEST_CASE("a shutdown after any number of turns leaves nothing behind", "[step09]") {
  after_each_turn([](Run& run) {
    run.scheduler.shutdown(failure("enough"));
    REQUIRE(::run(run.scheduler) == "enough");
    REQUIRE(living(run.scheduler).empty());
    REQUIRE_FALSE(run.reactor.active());
  });
}

TEST_CASE("the scenario is complete or can be shut down in every order of turns", "[step09]") {
  const bool fails = GENERATE(false, true);
  for (unsigned seed = 1; seed <= 500; ++seed) {
    INFO("seed " << seed);
    const NothingLeft nothing_left;
    FakeReactor reactor;
    Scenario in;
    Scheduler scheduler(reactor);
    scheduler.shuffle(
        [random = std::mt19937(seed)](std::size_t n) mutable { return random() % n; });
    scheduler.spawn(scenario::main(&in));
    if (fails) scheduler.spawn(fail("oh", static_cast<int>(seed % 20)));
    if (run(scheduler) != (fails ? "oh" : "nothing")) FAIL("another error");
    if (!fails && !scenario::is_complete(in)) FAIL("something is missing");
  }
}
