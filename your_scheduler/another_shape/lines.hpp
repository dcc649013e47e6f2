#pragma once

// A solution in another shape than ours: cuts the lines when a piece arrives, and keeps them in a
// list.

#include <deque>
#include <string>

#include "generator.hpp"

class Lines : public Generator<std::string, std::string> {
  std::deque<std::string> ready_{""};

  std::optional<std::string> resume(std::string piece) override {
    for (const char c : piece) {
      ready_.back() += c;
      if (c == '\n') ready_.emplace_back();
    }
    if (ready_.size() == 1) return "";
    std::string line = std::move(ready_.front());
    ready_.pop_front();
    return line;
  }
};
