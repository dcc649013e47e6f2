// The scheduler of step 8: the input decides what the tasks do. In all cases, run() must return,
// all objects must be destroyed, and the tasks that still exist must wait for a message or for
// another one that exists.
#include <fuzzer/FuzzedDataProvider.h>

#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "living.hpp"
#include "mailbox.hpp"
#include "process.hpp"
#include "wait.hpp"
#include "wrong.hpp"

namespace {

constexpr TaskId a_message = 0;

struct World {
  FuzzedDataProvider choices;
  std::map<TaskId, TaskId> waiting{};  // a task, and the task whose end it waits for
  TaskId last_id = 0;
  TaskId running = 0;
  Mailboxes<Living> mailboxes{};
  Scheduler scheduler{};

  int choose(int from, int to) { return choices.ConsumeIntegralInRange(from, to); }
  TaskId some_id() { return choose(-1, 20); }
  std::string some_name() { return std::string(1, static_cast<char>('a' + choose(0, 3))); }
};

void start_task(World* world);

/// Kills or starts a task when it is destroyed. It doesn't kill the running task, because a task
/// must do that by a system call.
class Parting {
 public:
  explicit Parting(World* world)
      : world_(world), what_(world->choose(0, 9)), id_(world->some_id()) {}
  Parting(const Parting&) = delete;
  ~Parting() {
    if (what_ == 0 && id_ != world_->running) world_->scheduler.kill_task(id_);
    if (what_ == 1) start_task(world_);
  }

 private:
  const Living living_;
  World* world_;
  int what_;
  TaskId id_;
};

/// A system call that may throw, before or after it has done something.
SystemCall<Living> own_call(World* world) {
  const TaskId id = world->some_id();
  const int what = world->choose(0, 3);
  return [what, id](TaskId caller, Scheduler& scheduler) {
    if (what == 0) throw std::runtime_error("from a system call");
    scheduler.kill_task(id);
    if (what == 1) throw Living();
    scheduler.schedule(caller);
    return Living();
  };
}

Coroutine<Living> body(World* world, std::shared_ptr<TaskId> me, std::shared_ptr<Parting> parting);

Coroutine<Living> another(World* world, const std::shared_ptr<TaskId>& me) {
  return body(world, me, std::make_shared<Parting>(world));
}

/// The body of a task. Drops the return value of its only call.
Coroutine<> task(Coroutine<Living> callee) {
  co_await std::move(callee);
}

/// Does whatever the input chooses. Returns false at the end of the body.
Coroutine<bool> act(World* world, std::shared_ptr<TaskId> me) {
  switch (world->choose(0, 15)) {
  case 0: {
    co_await kill_task(world->some_id());
    break;
  }
  case 1: {
    const TaskId id = world->some_id();
    world->waiting[*me] = id;
    co_await wait_task(id);
    break;
  }
  case 2: {
    Coroutine<> other = task(another(world, me));
    co_await exec_task(std::move(other));
    break;
  }
  case 3:
    start_task(world);
    co_yield nothing;
    break;
  case 4: {
    co_await sleep_until(Clock::time_point());
    break;
  }
  case 5:
  case 6: {
    Coroutine<Living> callee = another(world, me);
    const Living result = co_await std::move(callee);
    break;
  }
  case 7: {
    const std::string name = world->some_name();
    world->waiting[*me] = a_message;
    const Living message = co_await receive_message(&world->mailboxes, name);
    break;
  }
  case 8: {
    const std::string name = world->some_name();
    const Living message;
    co_await send_message(&world->mailboxes, name, message);
    break;
  }
  case 9:
    throw std::runtime_error("from a task");
  case 10:
    throw Living();
  case 11: {
    SystemCall<Living> call = own_call(world);
    const Living answer = co_await call;
    break;
  }
  case 12: {
    const TaskId id = co_await get_task_id();
    if (id != *me) wrong("a task got another task's id");
    break;
  }
  case 13:
    co_return false;
  case 14: {
    Coroutine<Living> callee = another(world, me);
    const Living result = co_await std::move(callee);
    const Living again = co_await std::move(callee);  // throws
    break;
  }
  default: {
    co_yield nothing;
  }
  }
  co_return true;
}

/// Acts up to six times. `me` is the id of its task.
Coroutine<Living> body(World* world, std::shared_ptr<TaskId> me, std::shared_ptr<Parting>) {
  world->running = *me;
  const int steps = world->choose(0, 6);
  const bool catches = world->choices.ConsumeBool();
  for (int i = 0; i < steps && world->choices.remaining_bytes() > 0; ++i) {
    try {
      const bool more = co_await act(world, me);
      if (!more) break;
    } catch (const std::exception&) {
      world->running = *me;
      if (!catches) throw;
    } catch (...) {
      world->running = *me;
      throw;
    }
    world->running = *me;
    world->waiting.erase(*me);
  }
  co_return Living();
}

void start_task(World* world) {
  const auto me = std::make_shared<TaskId>(0);
  *me = world->last_id = world->scheduler.new_task(task(another(world, me)));
}

/// Checks that each task that exists after run() waits for a message or for another one that
/// exists.
void check(World& world) {
  for (TaskId id = 1; id <= world.last_id; ++id) {
    if (!world.scheduler.find(id)) continue;
    const auto wait = world.waiting.find(id);
    if (wait == world.waiting.end()) wrong("a task was forgotten");
    if (wait->second == id) wrong("a task waits for its own end");
    if (wait->second != a_message && !world.scheduler.find(wait->second))
      wrong("a task waits for a task that has finished");
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  std::cerr.rdbuf(nullptr);  // where the scheduler reports exceptions that no task catches
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  {
    World world{FuzzedDataProvider(data, size)};
    for (int tasks = world.choose(1, 4); tasks > 0; --tasks) start_task(&world);
    world.scheduler.run();
    check(world);
    world.running = 0;
    for (TaskId id = 1; id <= world.last_id; ++id) world.scheduler.kill_task(id);
  }
  if (Living::count != 0) wrong("an object was not destroyed");
  return 0;
}
