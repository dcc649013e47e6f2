#include <exception>

#include "by_hand.hpp"
#include "model.hpp"

namespace {

/// This coroutine can also call, return a value, and catch.
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
    return proceed();
  }
};

}  // namespace

const Step step{"step 7",
                Rules::step07,
                {Op::yield, Op::id, Op::spawn, Op::actor, Op::kill, Op::wait, Op::send, Op::receive,
                 Op::call, Op::give, Op::raise, Op::finish}};

void run(const Program& program, Trace& trace) {
  const Reports reports(trace);
  run_by_hand<Coroutine07>(program, trace);
}
