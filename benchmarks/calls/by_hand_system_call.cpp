// Steps 4 and 7: a task asks the scheduler for its id, again and again.

#include <any>
#include <cstdint>
#include <memory>
#include <optional>

#include "measures.hpp"
#include "process.hpp"

namespace {

class AsksForItsId final : public Coroutine {
 public:
  AsksForItsId(benchmark::State& benchmark, std::int64_t& answers)
      : benchmark_(benchmark), answers_(answers) {}

 private:
  enum class State { start, answered };
  State state_ = State::start;
  benchmark::State& benchmark_;
  std::int64_t& answers_;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      while (benchmark_.KeepRunning()) {
        state_ = State::answered;
        return get_task_id();  // id = yield get_task_id()
      case State::answered:
        answers_ += std::any_cast<TaskId>(sent);  // the id is 1
      }
    }
    return std::nullopt;
  }
};

void system_call(benchmark::State& state) {
  Scheduler scheduler;
  std::int64_t answers = 0;
  scheduler.new_task(std::make_shared<AsksForItsId>(state, answers));
  scheduler.run();
  expect(state, answers);
}

}  // namespace

BENCHMARK(system_call);
