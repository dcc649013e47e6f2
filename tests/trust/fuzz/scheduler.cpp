// The schedulers of steps 7 and 8: the input decides what the tasks do. Whatever that is, run()
// ends, nothing is left, and those who live then wait for what has not happened.
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
  std::map<TaskId, TaskId> waiting{};  // for the end of whom, or for a message
  Scheduler scheduler{};

  int choose(int from, int to) { return choices.ConsumeIntegralInRange(from, to); }
  TaskId some_id() { return choose(-1, 20); }
  std::string some_name() { return std::string(1, static_cast<char>('a' + choose(0, 3))); }
};

/// Does something at its end: a frame that goes may do anything to the others.
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

/// The next thing that the task `me` does, with something in its hands.
Script::Step step(World* world, const std::shared_ptr<TaskId>& me) {
  const auto parting = std::make_shared<Parting>(world);
  return [world, me, parting](const Value&) { return act(world, me); };
}

std::vector<Script::Step> steps(World* world, const std::shared_ptr<TaskId>& me) {
  std::vector<Script::Step> all;
  for (int count = world->choose(0, 5); count > 0; --count) all.push_back(step(world, me));
  return all;
}

/// A body: one that catches what is thrown into it, or one that does not.
template <typename Use>
auto with_body(World* world, const std::shared_ptr<TaskId>& me, Use use) {
  if (world->choices.ConsumeBool()) return use(repeat(step(world, me)));
  return use(guarded([](const std::exception&) {}, steps(world, me)));
}

void spawn(World* world) {
  const auto id = std::make_shared<TaskId>(0);
  *id = with_body(world, id, [world](auto body) {
    if (world->choices.ConsumeBool()) return world->scheduler.new_task(std::move(body));
    return world->scheduler.new_task(std::move(body), world->some_name());
  });
}

Yielded wait_for(World* world, TaskId me, TaskId whom) {
  world->waiting[me] = whom;
  return wait_task(whom);
}

/// A system call that may throw, when it has done something or before.
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
    return wait_for(world, *me, world->some_id());
  case 2:
    return with_body(world, me, exec);
  case 3:
    spawn(world);
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

/// Who lives after run() waits for one who lives, or for a message.
void check(const World& world) {
  const std::vector<TaskId> living = world.scheduler.living_tasks();
  for (const TaskId id : living) {
    const auto wait = world.waiting.find(id);
    if (wait == world.waiting.end()) wrong("a task was forgotten");
    const TaskId whom = wait->second;
    if (whom != a_message && !std::count(living.begin(), living.end(), whom))
      wrong("a task waits for one that has ended");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  {
    World world{FuzzedDataProvider(data, size)};
    world.scheduler.on_uncaught([](TaskId, const std::exception_ptr&) {});
    for (int tasks = world.choose(1, 4); tasks > 0; --tasks) spawn(&world);
    world.scheduler.run();
    check(world);
  }
  if (Living::count != 0) wrong("something is left");
  return 0;
}
