#pragma once

#include <iostream>
#include <optional>
#include <string>

#include "generator.hpp"

/// Asks for a name and an age, and prints both.
class Interview final : public Generator<std::string, std::string> {
  enum class State { start, named, aged };
  State state_ = State::start;
  std::string name_;

  std::optional<std::string> resume(std::string sent) override {
    switch (state_) {
    case State::start:
      state_ = State::named;
      return "What is your name?";  // name = yield ...
    case State::named:
      name_ = sent;
      state_ = State::aged;
      return "And your age?";  // age = yield ...
    case State::aged:
      std::cout << "You are " << name_ << ", " << sent << ".\n";
    }
    return std::nullopt;
  }
};
