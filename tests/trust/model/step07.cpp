#include <cstddef>
#include <exception>
#include <iostream>
#include <streambuf>
#include <string>

#include "by_hand.hpp"
#include "step.hpp"

namespace {

/// It can call, return a value, and catch.
class Coroutine07 final : public Interpreter<Coroutine07> {
  using Interpreter::Interpreter;

  std::optional<Yielded> ask(const Statement& statement) override {
    if (statement.op == Op::call) return Call{made(statement.number)};
    if (statement.op == Op::give) return ReturnValue{statement.number};
    return Interpreter::ask(statement);
  }

  std::optional<Yielded> resume_with_exception(std::exception_ptr error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      if (!frame_.catches(e)) throw;
    }
    return go_on();
  }
};

/// What the scheduler writes to stderr of an uncaught exception, a line each, goes into the trace.
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

}  // namespace

const Step step{"step 7",
                Rules::step07,
                {Op::yield, Op::id, Op::spawn, Op::actor, Op::kill, Op::wait, Op::exec, Op::fork,
                 Op::send, Op::receive, Op::call, Op::give, Op::raise, Op::finish},
                false};

void run(const Program& program, Trace& trace) {
  Post post;
  Scheduler scheduler;
  const Reports reports(trace);
  scheduler.new_task(std::make_shared<Coroutine07>(Frame({&program, &trace}, 0), &post));
  scheduler.run();
  kill_living(scheduler, trace);
}
