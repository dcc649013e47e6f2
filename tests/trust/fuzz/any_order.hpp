#pragma once

#include <fuzzer/FuzzedDataProvider.h>

#include <cstddef>
#include <random>

#include "coop/scheduler.hpp"

/// Lets the tasks take turns in a random order, if the input says so.
inline void shuffle(coop::Scheduler& scheduler, FuzzedDataProvider& choices) {
  const auto seed = choices.ConsumeIntegral<unsigned char>();
  if (seed == 0) return;
  scheduler.shuffle([random = std::mt19937(seed)](std::size_t n) mutable { return random() % n; });
}
