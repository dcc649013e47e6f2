#pragma once

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "generator.hpp"

/// Yields y1, y2, ... and writes down what happens. It catches at each yield, and stops if told so.
class Catching final : public Generator<std::string, std::string> {
 public:
  explicit Catching(std::vector<std::string>& log) : log_(log) {}

 private:
  std::vector<std::string>& log_;
  int count_ = 0;

  std::optional<std::string> resume(std::string sent) override {
    log_.push_back(count_ == 0 ? "start" : "got " + sent);
    if (sent == "end") return std::nullopt;
    return "y" + std::to_string(++count_);
  }

  std::optional<std::string> resume_with(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::invalid_argument& e) {
      log_.push_back(std::string("caught ") + e.what());
    }
    return "y" + std::to_string(++count_);
  }
};

inline Catching catching(std::vector<std::string>& log) {
  return Catching(log);
}
