#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "coop/any_of.hpp"
#include "world.hpp"

/// An event that logs its starts and stops, and can fail or happen during its start.
class Probe final : public coop::Event {
 public:
  enum class Start { quiet, wakes, fails, throws };

  Probe(Log* log, std::string name, Start start = Start::quiet)
      : log_(log), name_(std::move(name)), start_(start) {}

  bool is_ready() const override { return ready; }
  std::string description() const override { return name_; }
  void wake(const std::exception_ptr& error = nullptr) { wake_all(error); }

  bool ready = false;

 private:
  void start() override {
    log_->push_back("start " + name_);
    if (start_ == Start::throws) throw std::runtime_error(name_ + " cannot start");
    if (start_ == Start::wakes) wake_all();
    if (start_ == Start::fails) wake_all(failure(name_ + " failed"));
  }
  void stop() noexcept override { log_->push_back("stop " + name_); }

  Log* log_;
  std::string name_;
  Start start_;
};

/// Waits for the first of two events, and logs how that ended. Another wait shows that nothing is
/// left of it.
inline coop::Coroutine<> wait_for_any(Log* out, coop::Event* first, coop::Event* second) {
  const Living living;
  try {
    const std::size_t which = co_await coop::any_of(*first, *second);
    out->push_back("it was " + std::to_string(which));
  } catch (...) {
    out->push_back(text_of(std::current_exception()));
  }
  co_await coop::yield();
  out->push_back("on");
}

/// Makes the event happen when the task has its turn.
inline coop::Coroutine<> wake(Probe* probe, std::exception_ptr error = nullptr) {
  probe->wake(error);
  co_return;
}

inline coop::Coroutine<> set(coop::ManualEvent* event) {
  event->set();
  co_return;
}

/// Cancels a task after some turns.
inline coop::Coroutine<> cancel(coop::Task* task, std::string reason = "cancelled", int turns = 0) {
  for (int i = 0; i < turns; ++i) {
    co_await coop::yield();
  }
  task->cancel(reason);
}

/// Waits again after each cancellation.
inline coop::Coroutine<> never_end(coop::Event* event) {
  const Living living;
  for (;;) {
    try {
      co_await *event;
    } catch (const coop::Cancelled&) {
    }
  }
}

inline coop::Coroutine<> fail_when_cancelled(coop::Event* event) {
  try {
    co_await *event;
  } catch (const coop::Cancelled&) {
    throw std::runtime_error("clean-up");
  }
}

inline coop::Coroutine<> log_number(Log* out, coop::Coroutine<int> body) {
  const int number = co_await std::move(body);
  out->push_back(std::to_string(number));
}

/// Its clean-up takes five milliseconds, and is not protected.
inline coop::Coroutine<> end_slowly(Log* out, coop::Event* event) {
  co_await report(out, "body", until(event));
  co_await report(out, "clean-up", coop::sleep(std::chrono::milliseconds(5)));
}

/// An object that calls a function when it is destroyed.
template <typename Function>
std::shared_ptr<void> at_end(Function function) {
  return std::shared_ptr<void>(nullptr, [function](void*) { function(); });
}
