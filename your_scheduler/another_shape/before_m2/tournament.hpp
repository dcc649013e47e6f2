#pragma once

// Before m2: two numbers are the bookmark, so there is neither a switch nor a label.

#include <string>

#include "generator.hpp"

class Tournament : public Generator<std::string> {
 public:
  explicit Tournament(int players) : players_(players) {}

 private:
  int players_, host_ = 1, guest_ = 0;
  std::optional<std::string> resume() override {
    if (host_ > players_) return std::nullopt;
    if (++guest_ == host_) ++guest_;
    if (guest_ <= players_) return std::to_string(host_) + '-' + std::to_string(guest_);
    guest_ = 0;
    ++host_;
    return "break";
  }
};
