#include "by_hand.hpp"
#include "model.hpp"

namespace {

class Coroutine04 final : public Interpreter<Coroutine04> {
  using Interpreter::Interpreter;
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
