#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "world.hpp"

/// An event that writes down what is done with it, and does as it is told.
class Probe final : public coop::Event {
 public:
  enum class Start { quiet, wakes, fails, throws };

  Probe(Log* log, std::string name, Start start = Start::quiet)
      : log_(log), name_(std::move(name)), start_(start) {}

  bool is_ready() const override { return ready; }
  void start(coop::Task& waiter) override {
    log_->push_back("start " + name_);
    if (start_ == Start::throws) throw std::runtime_error(name_ + " cannot start");
    waiter_ = &waiter;
    if (start_ == Start::wakes) waiter.wake(*this);
    if (start_ == Start::fails) waiter.wake(*this, failure(name_ + " failed"));
  }
  void stop(coop::Task& waiter) noexcept override {
    log_->push_back("stop " + name_ + (waiter_ == &waiter ? "" : ", which has not been started"));
    waiter_ = nullptr;
  }
  std::string description() const override { return name_; }

  bool is_started() const { return waiter_ != nullptr; }
  void wake(const std::exception_ptr& error = nullptr) { waiter_->wake(*this, error); }

  bool ready = false;

 private:
  Log* log_;
  std::string name_;
  Start start_;
  coop::Task* waiter_ = nullptr;
};

/// Waits for one of two, and says how that ended. Another wait shows that nothing was left behind.
inline coop::Coroutine<> wait_for_any(Log* out, coop::Event* first, coop::Event* second) {
  const Living living;
  try {
    const std::size_t which = co_await coop::wait_any(*first, *second);
    out->push_back("it was " + std::to_string(which));
  } catch (...) {
    out->push_back(text_of(std::current_exception()));
  }
  co_await coop::suspend();
  out->push_back("on");
}

/// Wakes it in the next turn.
inline coop::Coroutine<> wake(Probe* probe, std::exception_ptr error = nullptr) {
  probe->wake(error);
  co_return;
}

inline coop::Coroutine<> set(coop::ManualEvent* event) {
  event->set();
  co_return;
}

inline coop::Coroutine<> cancel(coop::Task* task, std::string reason = "cancelled") {
  task->cancel(reason);
  co_return;
}
