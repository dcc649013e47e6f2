// The scheduler of step 8: the input decides what the tasks do. In all cases, run() must return,
// all objects must be destroyed, and the tasks that still exist must wait for a message or for
// another task that exists.
#include <fuzzer/FuzzedDataProvider.h>

#include <map>

#include "living.hpp"
#include "mailbox.hpp"
#include "process.hpp"
#include "script.hpp"
#include "wrong.hpp"

namespace {

constexpr TaskId a_message = 0;

struct World {
  FuzzedDataProvider choices;
  std::map<TaskId, TaskId> waiting{};  // a task, and the task whose end it waits for
  Scheduler scheduler{};

  int choose(int from, int to) { return choices.ConsumeIntegralInRange(from, to); }
  TaskId some_id() { return choose(-1, 20); }
  std::string some_name() { return std::string(1, static_cast<char>('a' + choose(0, 3))); }
};

/// Kills a task or sends a message when it is destroyed.
class Parting {
 public:
  explicit Parting(World* world)
      : world_(world), what_(world->choose(0, 9)), id_(world->some_id()) {}
  Parting(const Parting&) = delete;
  ~Parting() {
    if (what_ == 0) world_->scheduler.kill_task(id_);
    if (what_ == 1) world_->scheduler.send_message("a", Living());
  }

 private:
  const Living living_;
  World* world_;
  int what_;
  TaskId id_;
};

std::optional<Yielded> act(World* world, const std::shared_ptr<TaskId>& me);

/// Returns a step of the task `me` that owns an object.
Script::Step step(World* world, const std::shared_ptr<TaskId>& me) {
  const auto parting = std::make_shared<Parting>(world);
  return [world, me, parting](const Value&) { return act(world, me); };
}

std::vector<Script::Step> steps(World* world, const std::shared_ptr<TaskId>& me) {
  std::vector<Script::Step> all;
  for (int count = world->choose(0, 5); count > 0; --count) all.push_back(step(world, me));
  return all;
}

/// Calls `use` with a coroutine that catches exceptions, or with one that does not.
template <typename Use>
auto with_body(World* world, const std::shared_ptr<TaskId>& me, Use use) {
  if (world->choices.ConsumeBool()) return use(repeat(step(world, me)));
  return use(guarded([](const std::exception&) {}, steps(world, me)));
}

void start_task(World* world) {
  const auto id = std::make_shared<TaskId>(0);
  *id = with_body(world, id, [world](auto body) {
    if (world->choices.ConsumeBool()) return world->scheduler.new_task(std::move(body));
    return world->scheduler.new_task(std::move(body), world->some_name());
  });
}

Yielded wait_for_end(World* world, TaskId me, TaskId id) {
  world->waiting[me] = id;
  return wait_task(id);
}

/// A system call that may throw, before or after it has done something.
Yielded make_own_call(World* world) {
  const TaskId id = world->some_id();
  const int what = world->choose(0, 3);
  return system_call([what, id](Task& task, Scheduler& scheduler) {
    if (what == 0) throw std::runtime_error("from a system call");
    scheduler.kill_task(id);
    if (what == 1) throw Living();
    if (!task.is_finished()) scheduler.schedule(task);
  });
}

std::optional<Yielded> act(World* world, const std::shared_ptr<TaskId>& me) {
  world->waiting.erase(*me);
  if (world->choices.remaining_bytes() == 0) return std::nullopt;
  const auto exec = [](auto body) -> Yielded { return exec_task(std::move(body)); };
  switch (world->choose(0, 15)) {
  case 0:
    return kill_task(world->some_id());
  case 1:
    return wait_for_end(world, *me, world->some_id());
  case 2:
    return with_body(world, me, exec);
  case 3:
    start_task(world);
    return Nothing{};
  case 4:
    return send_message(world->some_name(), Living());
  case 5:
    world->waiting[*me] = a_message;
    return receive_message();
  case 6:
    return call(steps(world, me));
  case 7:
    return call_nothing();
  case 8:
    return give("something");
  case 9:
    throw std::runtime_error("from a task");
  case 10:
    throw Living();
  case 11:
    return make_own_call(world);
  case 12:
    return get_task_id();
  case 13:
    return std::nullopt;
  default:
    return Nothing{};
  }
}

/// Checks that each task that exists after run() waits for a message or for another task that
/// exists.
void check(const World& world) {
  const std::vector<TaskId> living = world.scheduler.living_tasks();
  for (const TaskId id : living) {
    const auto wait = world.waiting.find(id);
    if (wait == world.waiting.end()) wrong("a task was forgotten");
    const TaskId other = wait->second;
    if (other != a_message && !std::count(living.begin(), living.end(), other))
      wrong("a task waits for a task that has finished");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  {
    World world{FuzzedDataProvider(data, size)};
    world.scheduler.on_uncaught([](TaskId, const std::exception_ptr&) {});
    for (int tasks = world.choose(1, 4); tasks > 0; --tasks) start_task(&world);
    world.scheduler.run();
    check(world);
  }
  if (Living::count != 0) wrong("an object was not destroyed");
  return 0;
}
