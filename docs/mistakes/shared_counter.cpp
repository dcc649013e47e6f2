// Build: -std=c++17
#include <iostream>
#include <memory>

#include "../../step03_scheduler/scheduler.hpp"

class Counting final : public Coroutine {
 public:
  explicit Counting(int& counter) : counter_(counter) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  int& counter_;
  int i_ = 0, seen_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      for (i_ = 0; i_ < 5; ++i_) {
        seen_ = counter_;
        state_ = State::yielded;
        return Nothing{};  // yield: now the other task reads the same number
      case State::yielded:
        counter_ = seen_ + 1;
      }
    }
    return std::nullopt;
  }
};

int main() {
  int counter = 0;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Counting>(counter));
  scheduler.new_task(std::make_shared<Counting>(counter));
  scheduler.run();
  std::cout << counter << " of 10\n";
}

// Mistake: a value is read before a yield and written after it.
// It prints: 5 of 10
