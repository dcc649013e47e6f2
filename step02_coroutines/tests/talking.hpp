#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "generator.hpp"

/// Yields y1 to y<count> and writes down what each yield gave. `alive` shows how long it lives.
class Talking final : public Generator<std::string, std::string> {
 public:
  Talking(std::vector<std::string>& log, int count, std::shared_ptr<int> alive,
          const std::function<void()>* on_self)
      : log_(log), count_(count), alive_(std::move(alive)), on_self_(on_self) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  std::vector<std::string>& log_;
  int count_, i_ = 0;
  std::shared_ptr<int> alive_;
  const std::function<void()>* on_self_;

  std::optional<std::string> resume(std::string sent) override {
    switch (at_) {
    case At::start:
      log_.push_back("start");
      for (i_ = 1; i_ <= count_; ++i_) {
        at_ = At::yielded;
        return "y" + std::to_string(i_);
      case At::yielded:
        log_.push_back("got " + sent);
        if (sent == "throw") throw std::runtime_error("from the body");
        if (sent == "self") (*on_self_)();
      }
    }
    log_.push_back("end");
    return std::nullopt;
  }
};

inline Talking talking(std::vector<std::string>& log, int count,
                       std::shared_ptr<int> alive = nullptr,
                       const std::function<void()>* on_self = nullptr) {
  return Talking(log, count, std::move(alive), on_self);
}

/// Hands out what it is sent; an empty box first.
class Passing final : public Generator<std::unique_ptr<int>, std::unique_ptr<int>> {
  std::optional<std::unique_ptr<int>> resume(std::unique_ptr<int> sent) override { return sent; }
};

inline Passing passing() {
  return Passing();
}
