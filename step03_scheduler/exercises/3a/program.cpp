#include <iostream>
#include <memory>
#include <optional>

#include "scheduler.hpp"

/// Prints `count` lines, one a turn, and one more at its end.
class Letter final : public Coroutine {
 public:
  Letter(char letter, int count) : letter_(letter), count_(count) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  char letter_;
  int count_, i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      for (i_ = 1; i_ <= count_; ++i_) {
        std::cout << letter_ << ' ' << i_ << '\n';
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:;
      }
    }
    std::cout << letter_ << " ends\n";
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
