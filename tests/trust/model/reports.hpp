#pragma once

#include <cstddef>
#include <iostream>
#include <streambuf>
#include <string>

#include "program.hpp"
#include "trace.hpp"

/// Writes to the trace the exceptions that no task has caught. The scheduler reports each of them
/// in one line on stderr.
class Reports final : public std::streambuf {
 public:
  explicit Reports(Trace& trace) : trace_(trace), stderr_(std::cerr.rdbuf(this)) {}
  Reports(const Reports&) = delete;
  ~Reports() override { std::cerr.rdbuf(stderr_); }

 private:
  Trace& trace_;
  std::streambuf* stderr_;
  std::string line_;

  int_type overflow(int_type c) override {
    if (c != '\n') {
      line_ += traits_type::to_char_type(c);
      return c;
    }
    const std::size_t number = line_.find("raised ");
    trace_.write(0, 0, "uncaught",
                 number == std::string::npos ? invalid_id : std::stoi(line_.substr(number + 7)));
    line_.clear();
    return c;
  }
};
