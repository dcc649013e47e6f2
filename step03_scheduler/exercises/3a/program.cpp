#include <iostream>
#include <memory>
#include <optional>

#include "scheduler.hpp"

/// Prints `count` lines, one per turn, and then that it finishes.
class Letter final : public Coroutine {
 public:
  Letter(char letter, int count) : letter_(letter), count_(count) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  char letter_;
  int count_, i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      for (i_ = 1; i_ <= count_; ++i_) {
        std::cout << letter_ << ' ' << i_ << '\n';
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
    }
    std::cout << letter_ << " finishes\n";
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Letter>('A', 3));
  scheduler.new_task(std::make_shared<Letter>('B', 1));
  scheduler.new_task(std::make_shared<Letter>('C', 2));
  scheduler.run();
}
