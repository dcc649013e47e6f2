#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "scheduler.hpp"

/// Says who it is, three times, once a turn.
class Speaker final : public Coroutine {
 public:
  explicit Speaker(std::string name) : name_(std::move(name)) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  std::string name_;
  int i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      for (i_ = 1; i_ <= 3; ++i_) {
        std::cout << name_ << " has turn " << i_ << ".\n";
        at_ = At::yielded;
        return Nothing{};  // yield
      case At::yielded:;
      }
    }
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Speaker>("The cook"));
  scheduler.new_task(std::make_shared<Speaker>("The gardener"));
  scheduler.new_task(std::make_shared<Speaker>("The doctor"));        // urgent
  scheduler.new_task(std::make_shared<Speaker>("The fire brigade"));  // urgent
  scheduler.run();
}
