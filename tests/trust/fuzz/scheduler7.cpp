// The scheduler of step 7: the input decides what the tasks do. In all cases, run() must return,
// all objects must be destroyed, and the tasks that still exist must wait for another one that
// exists.
#include <fuzzer/FuzzedDataProvider.h>

#include <cstddef>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

#include "living.hpp"
#include "process.hpp"
#include "wait.hpp"
#include "wrong.hpp"

namespace {

struct World {
  FuzzedDataProvider choices;
  std::map<TaskId, TaskId> waiting{};  // a task, and the task whose end it waits for
  TaskId last_id = 0;
  TaskId running = 0;
  Scheduler scheduler{};

  int choose(int from, int to) { return choices.ConsumeIntegralInRange(from, to); }
  TaskId some_id() { return choose(-1, 20); }
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
SystemCall own_call(World* world) {
  const TaskId id = world->some_id();
  const int what = world->choose(0, 3);
  return [what, id, living = Living()](TaskId caller, Scheduler& scheduler) {
    if (what == 0) throw std::runtime_error("from a system call");
    scheduler.kill_task(id);
    if (what == 1) throw Living();
    scheduler.schedule(caller);
  };
}

/// A coroutine that yields whatever the input chooses. `me` is the id of its task.
class Body final : public Coroutine {
 public:
  Body(World* world, std::shared_ptr<TaskId> me)
      : world_(world),
        me_(std::move(me)),
        parting_(world),
        steps_(world->choose(0, 6)),
        catches_(world->choices.ConsumeBool()) {}

 private:
  World* world_;
  std::shared_ptr<TaskId> me_;
  Parting parting_;
  int steps_;
  bool catches_;

  std::optional<Yielded> resume(Value) override {
    world_->running = *me_;
    world_->waiting.erase(*me_);
    if (world_->choices.remaining_bytes() == 0 || steps_-- == 0) return std::nullopt;
    return choose();
  }

  std::optional<Yielded> resume_with_exception(std::exception_ptr error) override {
    world_->running = *me_;
    if (!catches_) std::rethrow_exception(error);
    try {
      std::rethrow_exception(error);
    } catch (const std::exception&) {
    }
    return resume({});
  }

  std::shared_ptr<Coroutine> another() const { return std::make_shared<Body>(world_, me_); }

  std::optional<Yielded> choose() {
    switch (world_->choose(0, 14)) {
    case 0:
      return kill_task(world_->some_id());
    case 1:
      return wait_for_end(world_->some_id());
    case 2:
      return exec_task(another());
    case 3:
      start_task(world_);
      return Nothing{};
    case 4:
      return sleep_until(Clock::time_point());
    case 5:
    case 6:
      return Call{another()};
    case 7:
      return fork_task();  // fails, because the body can't be copied
    case 8:
      return ReturnValue{Living()};
    case 9:
      throw std::runtime_error("from a task");
    case 10:
      throw Living();
    case 11:
      return own_call(world_);
    case 12:
      return get_task_id();
    case 13:
      return std::nullopt;
    default:
      return Nothing{};
    }
  }

  Yielded wait_for_end(TaskId id) {
    world_->waiting[*me_] = id;
    return wait_task(id);
  }
};

void start_task(World* world) {
  const auto me = std::make_shared<TaskId>(0);
  const auto body = std::make_shared<Body>(world, me);
  *me = world->last_id = world->scheduler.new_task(body);
}

/// Checks that each task that exists after run() waits for another one that exists.
void check(World& world) {
  for (TaskId id = 1; id <= world.last_id; ++id) {
    if (!world.scheduler.find(id)) continue;
    const auto wait = world.waiting.find(id);
    if (wait == world.waiting.end()) wrong("a task was forgotten");
    if (wait->second == id) wrong("a task waits for its own end");
    if (!world.scheduler.find(wait->second)) wrong("a task waits for a task that has finished");
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
