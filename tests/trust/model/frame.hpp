#pragma once

#include <cstddef>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include "program.hpp"
#include "trace.hpp"

/// The exception of `raise`.
struct Raised : std::runtime_error {
  explicit Raised(int value) : runtime_error("raised " + std::to_string(value)), number(value) {}
  int number;
};

inline int number_of(const std::exception& error) {
  if (const auto* const raised = dynamic_cast<const Raised*>(&error)) return raised->number;
  return dynamic_cast<const std::invalid_argument*>(&error) ? invalid_id : no_value;
}

/// A program that runs, and its trace.
struct Run {
  const Program* program;
  Trace* trace;
};

/// The local variables of a coroutine that interprets a body. Writes the events of the coroutine,
/// and also its end. A copy is a frame of its own.
class Frame {
 public:
  Frame(Run run, int body) : run_(run), body_(body), number_(run.trace->new_frame()) {}
  Frame(const Frame& other)
      : run_(other.run_),
        body_(other.body_),
        number_(run_.trace->new_frame()),
        next_(other.next_) {}
  Frame(Frame&& other) noexcept
      : run_(other.run_),
        body_(other.body_),
        number_(std::exchange(other.number_, 0)),
        next_(other.next_) {}
  Frame& operator=(const Frame&) = delete;
  ~Frame() {
    if (number_ != 0) write("is gone");
  }

  Run run() const { return run_; }
  bool has_started() const { return next_ > 0; }

  /// Returns the next statement, or null at the end.
  const Statement* next() {
    if (next_ == body().size()) return nullptr;
    write("does", static_cast<int>(next_));
    return &body()[next_++];
  }

  void gets(Answer answer) const { write(answer.what, answer.value); }

  /// Returns false if the last statement does not catch its exception.
  bool catches(const std::exception& error) const {
    if (!body()[next_ - 1].guarded) return false;
    write("catches", number_of(error));
    return true;
  }

 private:
  const Body& body() const { return (*run_.program)[static_cast<std::size_t>(body_)]; }
  void write(const char* what, int value = no_value) const {
    run_.trace->write(number_, body_, what, value);
  }

  Run run_;
  int body_;
  int number_;
  std::size_t next_ = 0;
};

/// Writes the exceptions that no task has caught. The schedulers of steps 7 and 8 print each of
/// them in a line on stderr.
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
    const std::size_t raised = line_.find("raised ");
    const bool is_invalid = raised == std::string::npos;
    trace_.write(0, 0, "uncaught", is_invalid ? invalid_id : std::stoi(line_.substr(raised + 7)));
    line_.clear();
    return c;
  }
};

/// Kills the tasks of step 4, 7 or 8 that exist after run(), in the order of their ids, because the
/// scheduler destroys them in any order. `end` is greater than their ids.
template <typename Scheduler>
void kill_living(Scheduler& scheduler, long long end, Trace& trace) {
  std::vector<int> living;
  for (int id = 1; id < end; ++id) {
    if (scheduler.find(id)) living.push_back(id);
  }
  for (const int id : living) trace.write(0, 0, "lives", id);
  for (const int id : living) scheduler.kill_task(id);
}
