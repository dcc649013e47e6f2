#include <exception>
#include <string>
#include <utility>

#include "frame.hpp"
#include "mailbox.hpp"
#include "process.hpp"
#include "step.hpp"

namespace {

Answer answer_of(bool truth) {
  return truth ? gets_true : gets_false;
}
Answer answer_of(int number) {
  return gets_number(number);
}
Answer answer_of(TaskId id) {
  return gets_task(static_cast<int>(id));
}

template <typename T>
Coroutine<Answer> ask(SystemCall<T> call) {
  const T given = co_await call;
  co_return answer_of(given);
}

template <>
Coroutine<Answer> ask(SystemCall<> call) {
  co_await call;
  co_return gets_nothing;
}

Coroutine<Answer> take_turn() {
  const Value sent = co_yield nothing;
  co_return sent.has_value() ? Answer{"gets something"} : gets_nothing;
}

Coroutine<Answer> interpret(Frame frame);

/// What the body of a task returns is for nobody.
Coroutine<> task(Coroutine<Answer> body) {
  co_await std::move(body);
}

SystemCall<TaskId> new_actor(Coroutine<> coroutine, char name) {
  const auto body = std::make_shared<Coroutine<>>(std::move(coroutine));
  return [body, name](Task& task, Scheduler& scheduler) {
    task.set_send_value(scheduler.new_task(std::move(*body), std::string(1, name)));
    scheduler.schedule(task);
  };
}

Coroutine<Answer> request(const Frame& frame, const Statement& statement) {
  const int number = statement.number;
  const auto body = [&] { return interpret(Frame(frame.run(), number)); };
  switch (statement.op) {
  case Op::id:
    return ask(get_task_id());
  case Op::spawn:
    return ask(new_task(task(body())));
  case Op::actor:
    return ask(new_actor(task(body()), statement.name));
  case Op::kill:
    return ask(kill_task(number));
  case Op::wait:
    return ask(wait_task(number));
  case Op::exec:
    return ask(exec_task(task(body())));
  case Op::send:
    return ask(send_message(std::string(1, statement.name), number));
  case Op::receive:
    return ask(receive_message<int>());
  case Op::call:
    return body();
  case Op::raise:
    throw Raised(number);
  default:
    return take_turn();
  }
}

/// Interprets a body: a coroutine that the compiler makes.
Coroutine<Answer> interpret(Frame frame) {
  while (const Statement* const statement = frame.next()) {
    if (statement->op == Op::give) co_return gets_number(statement->number);
    if (statement->op == Op::finish) break;
    try {
      Coroutine<Answer> asked = request(frame, *statement);
      const Answer answer = co_await std::move(asked);
      frame.gets(answer);
    } catch (const std::exception& error) {
      if (!frame.catches(error)) throw;
    }
  }
  co_return gets_nothing;
}

}  // namespace

const Step step{"step 8",
                Rules::step08,
                {Op::yield, Op::id, Op::spawn, Op::actor, Op::kill, Op::wait, Op::exec, Op::send,
                 Op::receive, Op::call, Op::give, Op::raise, Op::finish},
                false};

void run(const Program& program, Trace& trace) {
  Scheduler scheduler;
  scheduler.on_uncaught(
      [&trace](TaskId, std::exception_ptr error) { write_uncaught(trace, error); });
  scheduler.new_task(task(interpret(Frame({&program, &trace}, 0))));
  scheduler.run();
  write_living(trace, scheduler.living_tasks());
}
