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
                 Op::send, Op::receive, Op::raise, Op::finish},
                false};

/// What leaves a task comes out of run(), and the next run() goes on with the others.
void run(const Program& program, Trace& trace) {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Coroutine04>(Frame({&program, &trace}, 0)));
  for (bool again = true; again;) {
    try {
      scheduler.run();
      again = false;
    } catch (const Raised& raised) {
      trace.write(0, 0, "uncaught", raised.number);
    }
  }
  write_living(trace, scheduler.living_tasks());
}
