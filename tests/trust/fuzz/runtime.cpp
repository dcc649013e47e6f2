// The runtime of step 9: the input decides what the tasks do. In all cases, run() must return, all
// tasks must finish, and all objects must be destroyed.
#include <fuzzer/FuzzedDataProvider.h>

#include <array>
#include <chrono>
#include <random>
#include <stdexcept>

#include "coop/any_of.hpp"
#include "coop/for_each.hpp"
#include "coop/protect.hpp"
#include "coop/timeout.hpp"
#include "fake_reactor.hpp"
#include "wrong.hpp"

using namespace coop;

namespace {

/// Counts its objects.
class Living {
 public:
  Living() { ++count; }
  Living(const Living&) : Living() {}
  Living& operator=(const Living&) = default;
  ~Living() { --count; }

  static inline int count = 0;
};

struct World {
  FuzzedDataProvider choices;
  std::array<ManualEvent, 3> events{ManualEvent("a"), ManualEvent("b"), ManualEvent("c")};
  FakeReactor reactor{};
  std::vector<Handle<int>> handles{};

  std::size_t choose(std::size_t from, std::size_t to) {
    return choices.ConsumeIntegralInRange(from, to);
  }
  ManualEvent& some_event() { return events[choose(0, 2)]; }
  std::chrono::milliseconds some_time() { return std::chrono::milliseconds(choose(0, 9)); }
  Handle<int> some_handle() { return handles[choose(0, handles.size() - 1)]; }
};

Coroutine<int> body(World* world, int depth);

Coroutine<> drop_result(Coroutine<int> body) {
  co_await std::move(body);
}

/// Spawns tasks into a scope, and leaves the scope with or without waiting for them.
Coroutine<> use_scope(World* world, int depth) {
  Scope scope;
  for (std::size_t tasks = world->choose(1, 3); tasks > 0; --tasks) {
    world->handles.push_back(scope.spawn(body(world, depth)));
  }
  if (world->choices.ConsumeBool()) {
    co_await yield();
  }
  if (world->choices.ConsumeBool()) scope.cancel();
  if (world->choices.ConsumeBool()) {
    co_await scope.join();
  }
}

Coroutine<> iterate(World* world, int depth) {
  const auto each = [world, depth](int) { return drop_result(body(world, depth)); };
  return for_each(std::vector<int>(world->choose(0, 5)), each, world->choose(1, 3));
}

/// Does something that needs no waiting.
void act_at_once(World* world) {
  switch (world->choose(0, 12)) {
  case 0:
    return world->some_handle()->cancel();
  case 1:
    return this_task().cancel();
  case 2:
  case 3:
    return world->some_event().set();
  case 4:
    return world->some_event().reset();
  case 5:
    return world->some_event().fail(std::make_exception_ptr(Living()));
  case 6:
    return Scheduler::current().defer([world] { world->some_event().set(); });
  case 7:
    return Scheduler::current().defer([] { throw std::runtime_error("a microtask"); });
  case 8:
    return world->handles.clear();
  case 9:
    return Scheduler::current().shutdown(std::make_exception_ptr(std::runtime_error("end")));
  case 10:
    throw std::runtime_error("a task");
  case 11:
    throw Living();
  default:
    this_task().on_switch([world, living = Living()](Task&, Switch) {
      if (world->choose(0, 9) == 9) throw std::runtime_error("a handler");
      return world->choices.ConsumeBool();
    });
  }
}

/// Awaits something. Only few tasks spawn others, and only few bodies call others.
Coroutine<> wait(World* world, int depth) {
  if (world->handles.size() < 20) {
    const Priority priority = world->choices.ConsumeBool() ? Priority::high : Priority::normal;
    world->handles.push_back(spawn(body(world, depth), priority));
  }
  const Handle<int> task = world->some_handle();
  switch (world->choose(0, depth < 8 ? 11 : 4)) {
  case 0:
    co_await task;
    break;
  case 1:
    co_await world->some_event();
    break;
  case 2:
    co_await any_of(world->some_event(), *task);
    break;
  case 3:
    co_await sleep(world->some_time());
    break;
  case 5:
    co_await body(world, depth);
    break;
  case 6:
    co_await protect(body(world, depth));
    break;
  case 7:
    co_await with_timeout(world->some_time(), body(world, depth));
    break;
  case 8:
    co_await with_finally(body(world, depth), drop_result(body(world, depth)));
    break;
  case 9:
    co_await iterate(world, depth);
    break;
  case 10:
    co_await use_scope(world, depth);
    break;
  case 11:
    co_await any_of(task, body(world, depth));
    break;
  default:
    co_await yield();
  }
}

Coroutine<int> body(World* world, int depth) {
  const Living living;
  for (std::size_t times = world->choose(0, 9); times > 0; --times) {
    if (world->choices.remaining_bytes() == 0) break;
    try {
      if (!world->handles.empty()) act_at_once(world);
      co_await wait(world, depth + 1);
    } catch (const std::exception&) {
      if (world->choices.ConsumeBool()) throw;
    }
  }
  co_return depth;
}

/// Lets the tasks take turns in a random order, if the input says so.
void shuffle(Scheduler& scheduler, FuzzedDataProvider& choices) {
  const auto seed = choices.ConsumeIntegral<unsigned char>();
  if (seed == 0) return;
  scheduler.shuffle([random = std::mt19937(seed)](std::size_t n) mutable { return random() % n; });
}

/// Runs until all tasks have finished, and ignores the exception.
void run(Scheduler& scheduler) {
  try {
    scheduler.run();
  } catch (...) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  detail::set_pool_block(0);  // each frame is on the heap, where AddressSanitizer checks it
  {
    World world{FuzzedDataProvider(data, size)};
    Scheduler scheduler(world.reactor);
    shuffle(scheduler, world.choices);
    scheduler.on_deadlock([](const std::string&) {});
    for (std::size_t tasks = world.choose(1, 4); tasks > 0; --tasks) {
      world.handles.push_back(scheduler.spawn(body(&world, 0)));
    }
    run(scheduler);
    for (const Handle<int>& handle : world.handles) {
      if (!handle->is_finished()) wrong("a task has not finished");
    }
  }
  if (Living::count != 0) wrong("an object was not destroyed");
  if (detail::pool_statistics().in_use != 0) wrong("a frame was not destroyed");
  return 0;
}
