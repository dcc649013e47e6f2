#include <exception>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frame.hpp"
#include "mailbox.hpp"
#include "model.hpp"
#include "process.hpp"
#include "small_unix.hpp"

namespace {

/// The mailboxes of all tasks. Each task has its own, and an actor's name leads to it.
struct Post {
  Mailboxes<int> mailboxes;
  std::map<char, std::string> names;
  int last_mailbox = 0;

  std::string new_mailbox() { return std::to_string(++last_mailbox); }
};

Answer answer_of(TaskId id) {
  return gets_task(static_cast<int>(id));
}

Coroutine<Answer> ask(SystemCall<TaskId> call) {
  const TaskId id = co_await call;
  co_return answer_of(id);
}

Coroutine<Answer> ask(SystemCall<> call) {
  co_await call;
  co_return gets_nothing;
}

Coroutine<Answer> take_turn() {
  co_yield nothing;
  co_return gets_nothing;
}

Coroutine<Answer> send_to(Post* post, char name, int message) {
  const std::string mailbox = post->names[name];  // none for an unknown name
  co_await send_message(&post->mailboxes, mailbox, message);
  co_return gets_nothing;
}

Coroutine<Answer> receive(Post* post, std::string mailbox) {
  const int message = co_await receive_message(&post->mailboxes, mailbox);
  co_return gets_number(message);
}

Coroutine<Answer> interpret(Frame frame, Post* post, std::string mailbox);

/// The body of a task. Drops the return value of its only call.
Coroutine<> task(Coroutine<Answer> body) {
  co_await std::move(body);
}

Coroutine<Answer> new_actor(Post* post, char name, std::string mailbox, Coroutine<> actor) {
  post->names[name] = mailbox;
  const TaskId id = co_await new_task(std::move(actor));
  co_return answer_of(id);
}

Coroutine<Answer> request(const Frame& frame, Post* post, const std::string& own_mailbox,
                          const Statement& statement) {
  const int number = statement.number;
  const auto body = [&](const std::string& mailbox) {
    return interpret(Frame(frame.run(), number), post, mailbox);
  };
  const std::string mailbox = post->new_mailbox();
  switch (statement.op) {
  case Op::id:
    return ask(get_task_id());
  case Op::spawn:
    return ask(new_task(task(body(mailbox))));
  case Op::actor:
    return new_actor(post, statement.name, mailbox, task(body(mailbox)));
  case Op::kill:
    return ask(kill_task(number));
  case Op::wait:
    return ask(wait_task(number));
  case Op::exec:
    return ask(exec_task(task(body(own_mailbox))));
  case Op::send:
    return send_to(post, statement.name, number);
  case Op::receive:
    return receive(post, own_mailbox);
  case Op::call:
    return body(own_mailbox);
  case Op::raise:
    throw Raised(number);
  default:
    return take_turn();
  }
}

/// Interprets a body.
Coroutine<Answer> interpret(Frame frame, Post* post, std::string mailbox) {
  while (const Statement* const statement = frame.next()) {
    if (statement->op == Op::give) co_return gets_number(statement->number);
    if (statement->op == Op::finish) break;
    try {
      Coroutine<Answer> asked = request(frame, post, mailbox, *statement);
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
                 Op::receive, Op::call, Op::give, Op::raise, Op::finish}};

void run(const Program& program, Trace& trace) {
  Post post;
  Scheduler scheduler;
  const Reports reports(trace);
  scheduler.new_task(task(interpret(Frame({&program, &trace}, 0), &post, post.new_mailbox())));
  scheduler.run();
  kill_living(scheduler, scheduler.new_task([]() -> Coroutine<> { co_return; }()), trace);
}
