#include <exception>

#include "by_hand.hpp"
#include "reports.hpp"
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
