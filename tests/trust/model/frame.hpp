#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

#include "program.hpp"
#include "trace.hpp"

/// What `raise` throws.
struct Raised : std::exception {
  explicit Raised(int value) : number(value), text("raised " + std::to_string(value)) {}
  const char* what() const noexcept override { return text.c_str(); }
  int number;
  std::string text;
};

inline int number_of(const std::exception& error) {
  if (const auto* const raised = dynamic_cast<const Raised*>(&error)) return raised->number;
  return dynamic_cast<const std::invalid_argument*>(&error) ? invalid_id : no_value;
}

/// Somebody is told of what has left a task.
inline void write_uncaught(Trace& trace, const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    trace.write(0, 0, "uncaught", number_of(e));
  }
}

/// After run(), some tasks may live: they wait for what will not come.
template <typename Ids>
void write_living(Trace& trace, const Ids& living) {
  for (const auto id : living) trace.write(0, 0, "lives", static_cast<int>(id));
}

/// What runs, and where that is written down.
struct Run {
  const Program* program;
  Trace* trace;
};

/// The locals of a coroutine that interprets a body: where it stands. It writes down what happens
/// to it, its end, too. A copy is a frame of its own.
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

  /// The next statement, which is to be done now; null at the end.
  const Statement* next() {
    if (next_ == body().size()) return nullptr;
    write("does", static_cast<int>(next_));
    return &body()[next_++];
  }

  void gets(Answer answer) const { write(answer.what, answer.value); }

  /// What it has done last has thrown this. False if it does not catch it.
  bool catches(const std::exception& error) const {
    if (!body()[next_ - 1].guarded) return false;
    write("catches", number_of(error));
    return true;
  }

 private:
  const Body& body() const { return run_.program->bodies[static_cast<std::size_t>(body_)]; }
  void write(const char* what, int value = no_value) const {
    run_.trace->write(number_, body_, what, value);
  }

  Run run_;
  int body_;
  int number_;
  std::size_t next_ = 0;
};
