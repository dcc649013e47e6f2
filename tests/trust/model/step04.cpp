#include "by_hand.hpp"
#include "step.hpp"

namespace {

class Coroutine04 final : public Interpreter<Coroutine04> {
  using Interpreter::Interpreter;
};

}  // namespace

const Step step{"step 4",
                Rules::step04,
                {Op::yield, Op::id, Op::spawn, Op::actor, Op::kill, Op::wait, Op::exec, Op::fork,
                 Op::send, Op::receive, Op::finish},
                false};

/// A body must not throw in this step, so no program does.
void run(const Program& program, Trace& trace) {
  Post post;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Coroutine04>(Frame({&program, &trace}, 0), &post));
  scheduler.run();
  kill_living(scheduler, trace);
}
