#include <cstddef>
#include <deque>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "coop/core/wait.hpp"
#include "coop/timer_reactor.hpp"
#include "frame.hpp"
#include "model.hpp"

using namespace coop;

namespace {

/// The messages for a task, as in the program `actors`.
struct Mailbox {
  std::deque<int> messages;
  ManualEvent arrived{"a message"};
};

/// The state of a run that all interpreters share.
struct World {
  Run run;
  Scheduler* scheduler = nullptr;
  std::map<char, TaskId> names;
  std::deque<Mailbox> mailboxes;  // of all tasks, in the order of their ids

  explicit World(Run of_program) : run(of_program) {}
  Mailbox& mailbox(TaskId id) { return mailboxes[static_cast<std::size_t>(id - 1)]; }
  bool has_been(TaskId id) const { return 1 <= id && id <= static_cast<TaskId>(mailboxes.size()); }
};

Coroutine<Answer> interpret(World* world, Frame frame);

/// The body of a task. Drops the return value of its only call.
Coroutine<> task(Coroutine<Answer> body) {
  co_await std::move(body);
}

int add(World* world, int body) {
  world->scheduler->spawn(task(interpret(world, Frame(world->run, body))));
  world->mailboxes.emplace_back();
  return static_cast<int>(world->mailboxes.size());
}

Coroutine<Answer> at_once(Answer answer) {
  co_return answer;
}

Coroutine<Answer> take_turn() {
  co_await yield();
  co_return gets_nothing;
}

/// A task that cancels itself ends at the yield.
Coroutine<Answer> cancel(Scheduler* scheduler, TaskId id) {
  scheduler->task(id).cancel();
  if (id == this_task().id()) {
    co_await yield();
  }
  co_return gets_true;
}

/// Returns the task with this id, or null if it does not exist.
Task* find(const World& world, TaskId id) {
  try {
    return &world.scheduler->task(id);
  } catch (const std::invalid_argument&) {
    return nullptr;
  }
}

Coroutine<Answer> join(World* world, TaskId id) {
  if (!world->has_been(id) || id == this_task().id()) throw std::invalid_argument("no such task");
  if (Task* const other = find(*world, id)) {
    co_await *other;
  }
  co_return gets_true;
}

Coroutine<Answer> send(World* world, char name, int message) {
  const auto owner = world->names.find(name);
  if (owner != world->names.end() && find(*world, owner->second)) {
    Mailbox& mailbox = world->mailbox(owner->second);
    mailbox.messages.push_back(message);
    mailbox.arrived.set();
  }
  co_return gets_nothing;
}

Coroutine<Answer> receive(Mailbox* mailbox) {
  while (mailbox->messages.empty()) {
    mailbox->arrived.reset();
    co_await mailbox->arrived;
  }
  const int message = mailbox->messages.front();
  mailbox->messages.pop_front();
  co_return gets_number(message);
}

Coroutine<Answer> request(World* world, const Frame& frame, const Statement& statement) {
  const int number = statement.number;
  switch (statement.op) {
  case Op::id:
    return at_once(gets_task(static_cast<int>(this_task().id())));
  case Op::spawn:
    return at_once(gets_task(add(world, number)));
  case Op::actor:
    world->names[statement.name] = add(world, number);
    return at_once(gets_task(static_cast<int>(world->names[statement.name])));
  case Op::kill:
    return cancel(world->scheduler, number);
  case Op::wait:
    return join(world, number);
  case Op::send:
    return send(world, statement.name, number);
  case Op::receive:
    return receive(&world->mailbox(this_task().id()));
  case Op::call:
    return interpret(world, Frame(frame.run(), number));
  case Op::raise:
    throw Raised(number);
  default:
    return take_turn();
  }
}

Coroutine<Answer> interpret(World* world, Frame frame) {
  while (const Statement* const statement = frame.next()) {
    if (statement->op == Op::give) co_return gets_number(statement->number);
    if (statement->op == Op::finish) break;
    try {
      Coroutine<Answer> asked = request(world, frame, *statement);
      const Answer answer = co_await std::move(asked);
      frame.gets(answer);
    } catch (const std::exception& error) {
      if (!frame.catches(error)) throw;
    }
  }
  co_return gets_nothing;
}

void write_uncaught(Trace& trace, const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    trace.write(0, 0, "uncaught", number_of(e));
  }
}

void write_living(const World& world) {
  for (TaskId id = 1; world.has_been(id); ++id) {
    if (find(world, id)) world.run.trace->write(0, 0, "lives", static_cast<int>(id));
  }
}

}  // namespace

const Step step{"step 9",
                Rules::step09,
                {Op::yield, Op::id, Op::spawn, Op::actor, Op::kill, Op::wait, Op::send, Op::receive,
                 Op::call, Op::give, Op::raise, Op::finish}};

void run(const Program& program, Trace& trace) {
  detail::set_pool_block(0);
  {
    World world({&program, &trace});
    TimerReactor reactor;
    Scheduler scheduler(reactor);
    world.scheduler = &scheduler;
    scheduler.on_unhandled([&](std::exception_ptr error) { write_uncaught(trace, error); });
    scheduler.on_deadlock([&](const std::string&) { write_living(world); });
    add(&world, 0);
    try {
      scheduler.run();
    } catch (const Deadlock&) {  // on_deadlock() has written it
    }
  }
  if (detail::pool_statistics().in_use != 0) trace.write(0, 0, "frames are left");
  detail::empty_pool();  // so that AddressSanitizer finds a frame that is used after its end
}
