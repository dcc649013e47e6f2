#include "by_hand.hpp"
#include "model.hpp"
#include "small_unix.hpp"

namespace {

/// This coroutine can also replace and copy itself.
class Coroutine04 final : public Interpreter<Coroutine04> {
  using Interpreter::Interpreter;

  std::optional<Yielded> ask(const Statement& statement) override {
    if (statement.op == Op::exec) return exec_task(made(statement.number));
    if (statement.op == Op::fork) return fork_task(*this);
    return Interpreter::ask(statement);
  }
};

}  // namespace

const Step step{"step 4",
                Rules::step04,
                {Op::yield, Op::id, Op::spawn, Op::actor, Op::kill, Op::wait, Op::exec, Op::fork,
                 Op::send, Op::receive, Op::finish}};

/// In this step, a body must not throw, and it can't call.
void run(const Program& program, Trace& trace) {
  run_by_hand<Coroutine04>(program, trace);
}
