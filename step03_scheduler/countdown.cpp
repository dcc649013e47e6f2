#include <iostream>
#include <memory>
#include <optional>

#include "scheduler.hpp"
#include "usage.hpp"

/// From n down to 1, a number each turn. Recipe 12.12, countdown().
class Countdown final : public Coroutine {
 public:
  explicit Countdown(int n) : n_(n) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  int n_;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      while (n_ > 0) {
        std::cout << "T-minus " << n_ << '\n';
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:
        --n_;
      }
    }
    std::cout << "Blastoff!\n";
    return std::nullopt;
  }
};

/// From 0 up to n - 1, a number each turn. Recipe 12.12, countup().
class Countup final : public Coroutine {
 public:
  explicit Countup(int n) : n_(n) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  int n_, x_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      while (x_ < n_) {
        std::cout << "Counting up " << x_ << '\n';
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:
        ++x_;
      }
    }
    return std::nullopt;
  }
};

int main(int argc, char** argv) {
  if (argc > 1) return usage(argv, "countdown   (two count down and one counts up, in turns)");

  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Countdown>(10));
  scheduler.new_task(std::make_shared<Countdown>(5));
  scheduler.new_task(std::make_shared<Countup>(15));
  scheduler.run();
}
