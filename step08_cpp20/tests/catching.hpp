#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "generator.hpp"

// The generator of error_test.cpp.

using Catching = Generator<std::string, std::string>;

inline Catching catch_all(std::vector<std::string>* log) {
  log->push_back("start");
  std::string sent;
  for (int i = 1; sent != "end"; ++i) {
    try {
      sent = co_yield "y" + std::to_string(i);
      log->push_back("got " + sent);
    } catch (const std::invalid_argument& e) {
      log->push_back(std::string("caught ") + e.what());
    }
  }
}

inline Catching catching(std::vector<std::string>& log) {
  return catch_all(&log);
}
