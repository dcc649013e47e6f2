#include <chrono>
#include <ctime>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "wait.hpp"

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

/// Sleeps for some time.
class Sleeper final : public Coroutine {
 public:
  Sleeper(std::string name, milliseconds time) : name_(std::move(name)), time_(time) {}

 private:
  enum class State { start };
  State state_ = State::start;
  std::string name_;
  milliseconds time_;
  Clock::time_point start_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      std::cout << name_ << " lies down.\n";
      start_ = Clock::now();
      std::this_thread::sleep_for(time_);
      std::cout << name_ << (Clock::now() - start_ < time_ ? " is up too early.\n" : " is up.\n");
    }
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Sleeper>("Ann", milliseconds(1200)));
  scheduler.new_task(std::make_shared<Sleeper>("Bob", milliseconds(400)));
  scheduler.new_task(std::make_shared<Sleeper>("Carl", milliseconds(800)));
  scheduler.run();
  const bool busy = std::clock() > CLOCKS_PER_SEC / 10;
  std::cout << (busy ? "The program was busy meanwhile.\n" : "The program slept, too.\n");
}
