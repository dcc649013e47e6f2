#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "script.hpp"

/// A script that catches exceptions at all its yields: it writes "caught" and the message to the
/// log, and continues with the next step.
class CatchingScript final : public Coroutine {
 public:
  CatchingScript(Log& log, std::vector<Script::Step> steps) : log_(log), steps_(std::move(steps)) {}

 private:
  Log& log_;
  std::vector<Script::Step> steps_;
  std::size_t next_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    if (next_ == steps_.size()) return std::nullopt;
    return steps_[next_++](std::move(sent));
  }

  std::optional<Yielded> resume_with_exception(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      log_.push_back(std::string("caught ") + e.what());
    }
    return resume(Value());
  }
};

inline std::shared_ptr<Coroutine> catching(Log& log, std::vector<Script::Step> steps) {
  return std::make_shared<CatchingScript>(log, std::move(steps));
}
