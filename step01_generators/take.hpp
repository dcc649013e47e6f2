#pragma once

#include <optional>
#include <utility>

#include "generator.hpp"

/// The first `count` values of another generator, or fewer if it ends before. Asks the source for
/// nothing that it does not hand out; with a `count` of 0 or less the source never runs.
template <typename Source>
class Take final : public Generator<typename Source::value_type> {
 public:
  Take(Source source, int count) : source_(std::move(source)), count_(count) {}

 private:
  enum class At { start, yielded } at_ = At::start;
  Source source_;
  int count_, i_ = 0;

  std::optional<typename Source::value_type> resume() override {
    switch (at_) {
    case At::start:
      for (i_ = 0; i_ < count_; ++i_) {
        if (i_ > 0) source_.next();
        at_ = At::yielded;
        return source_.current();  // yield it; where the source ends, so does this
      case At::yielded:;
      }
    }
    return std::nullopt;
  }
};
