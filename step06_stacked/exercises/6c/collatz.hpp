#pragma once

#include <iostream>
#include <memory>
#include <optional>

#include "scheduler.hpp"

/// Prints a number, then half of it if it is even, or three times the number plus one if it is odd,
/// and so on until 1. One number per turn.
class Collatz final : public Coroutine {
 public:
  explicit Collatz(int number) : number_(number) {}

 private:
  enum class State { start, yielded };
  State state_ = State::start;
  int number_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      while (true) {
        std::cout << number_ << '\n';
        if (number_ == 1) break;
        number_ = number_ % 2 == 0 ? number_ / 2 : 3 * number_ + 1;
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
    }
    return std::nullopt;
  }
};

/// Calls Collatz with two numbers, one after the other.
class CallingTask final : public Coroutine {
 public:
  CallingTask(int first, int second) : first_(first), second_(second) {}

 private:
  enum class State { start, called_first, called_second };
  State state_ = State::start;
  int first_, second_;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      state_ = State::called_first;
      return Call{std::make_shared<Collatz>(first_)};  // yield Collatz(first)
    case State::called_first:
      std::cout << "---\n";
      state_ = State::called_second;
      return Call{std::make_shared<Collatz>(second_)};  // yield Collatz(second)
    case State::called_second:;
    }
    return std::nullopt;
  }
};
