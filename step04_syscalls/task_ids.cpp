#include <any>
#include <iostream>
#include <memory>
#include <optional>

#include "process.hpp"
#include "usage.hpp"

/// Asks for its id, then says so in each turn. Article: "Communicating with the scheduler", task().
class Counting final : public Coroutine {
 public:
  explicit Counting(int max) : max_(max) {}

 private:
  enum class At { start, named, yielded } at_ = At::start;
  int max_, i_ = 0;
  TaskId id_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (at_) {
    case At::start:
      at_ = At::named;
      return get_task_id();  // id = yield get_task_id()
    case At::named:
      id_ = std::any_cast<TaskId>(sent);
      for (i_ = 1; i_ <= max_; ++i_) {
        std::cout << "This is task " << id_ << " iteration " << i_ << ".\n";
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:;
      }
    }
    return std::nullopt;
  }
};

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "task_ids   (two tasks ask for their ids and take turns)");

  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Counting>(10));
  scheduler.new_task(std::make_shared<Counting>(5));
  scheduler.run();
}
