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
  AsksForItsId(benchmark::State& state, std::int64_t& answers) : state_(state), answers_(answers) {}

 private:
  enum class At { start, answered } at_ = At::start;
  benchmark::State& state_;
  std::int64_t& answers_;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      while (state_.KeepRunning()) {
        at_ = At::answered;
        return get_task_id();  // id = yield get_task_id()
      case At::answered:
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
