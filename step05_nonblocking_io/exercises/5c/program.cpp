#include <sys/eventfd.h>

#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <thread>

#include "wait.hpp"

/// Waits for nothing but the time.
[[nodiscard]] SystemCall sleep_until(Clock::time_point time) {
  static const Socket silence(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));  // never readable
  return wait_for_read(silence, time);
}

/// Sleeps for half a second.
class Sleeper final : public Coroutine {
  enum class At { start, slept } at_ = At::start;
  Clock::time_point time_;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      std::cout << "The sleeper lies down.\n";
      time_ = Clock::now() + std::chrono::milliseconds(500);
      at_ = At::slept;
      return sleep_until(time_);  // yield sleep_until(time)
    case At::slept:
      std::cout << (Clock::now() < time_ ? "The sleeper is up too early.\n"
                                         : "The sleeper is up.\n");
    }
    return std::nullopt;
  }
};

/// Has something to do in the meantime.
class Worker final : public Coroutine {
  enum class At { start, yielded } at_ = At::start;
  int i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (at_) {
    case At::start:
      for (i_ = 1; i_ <= 3; ++i_) {
        std::cout << "The worker does part " << i_ << ".\n";
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
  scheduler.new_task(std::make_shared<Sleeper>());
  scheduler.new_task(std::make_shared<Worker>());
  scheduler.run();
}
