#pragma once

#include <any>
#include <iostream>
#include <memory>
#include <optional>

#include "process.hpp"

/// Asks for its id and works for three turns, with a line for each.
class Bob final : public Coroutine {
  enum class State { start, got_id, yielded };
  State state_ = State::start;
  TaskId id_ = 0;
  int i_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      state_ = State::got_id;
      return get_task_id();  // id = yield get_task_id()
    case State::got_id:
      id_ = std::any_cast<TaskId>(sent);
      for (i_ = 1; i_ <= 3; ++i_) {
        std::cout << "Task " << id_ << " step " << i_ << ".\n";
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
    }
    return std::nullopt;
  }
};

/// Starts Bob and waits until he has finished.
class Ann final : public Coroutine {
  enum class State { start, got_id, started_bob, waited };
  State state_ = State::start;
  TaskId id_ = 0, bob_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      state_ = State::got_id;
      return get_task_id();  // id = yield get_task_id()
    case State::got_id:
      id_ = std::any_cast<TaskId>(sent);
      state_ = State::started_bob;
      return new_task(std::make_shared<Bob>());  // bob = yield new_task(bob())
    case State::started_bob:
      bob_ = std::any_cast<TaskId>(sent);
      std::cout << "Task " << id_ << " waits for task " << bob_ << ".\n";
      state_ = State::waited;
      return wait_task(bob_);  // yield wait_task(bob)
    case State::waited:
      std::cout << "Task " << id_ << " sees the end of task " << bob_ << ".\n";
    }
    return std::nullopt;
  }
};
