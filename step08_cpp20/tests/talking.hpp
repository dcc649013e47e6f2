#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "generator.hpp"

// The generators of generator_test.cpp.

using Talking = Generator<std::string, std::string>;
using Box = std::unique_ptr<int>;

inline Talking talk(std::vector<std::string>* log, int count, std::shared_ptr<int>,
                    const std::function<void()>* on_self) {
  log->push_back("start");
  for (int i = 1; i <= count; ++i) {
    const std::string sent = co_yield "y" + std::to_string(i);
    log->push_back("got " + sent);
    if (sent == "throw") throw std::runtime_error("from the body");
    if (sent == "self") (*on_self)();
  }
  log->push_back("end");
}

inline Talking talking(std::vector<std::string>& log, int count,
                       std::shared_ptr<int> alive = nullptr,
                       const std::function<void()>* on_self = nullptr) {
  return talk(&log, count, std::move(alive), on_self);
}

inline Generator<Box, Box> passing() {
  Box box;
  while (true) {
    box = co_yield std::move(box);
  }
}
