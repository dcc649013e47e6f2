#pragma once

// Before m10: kill_task() returns a bool.

#include "scheduler.hpp"

inline SystemCall get_task_id() {
  return [](TaskId me, Scheduler& s) { s.wake(me, me); };
}
inline SystemCall new_task(std::shared_ptr<Coroutine> body) {
  return [=](TaskId me, Scheduler& s) { s.wake(me, s.new_task(body)); };
}
inline SystemCall kill_task(TaskId id) {
  return [=](TaskId me, Scheduler& s) {
    const bool done = s.kill(id);
    s.wake(me, done);
  };
}
inline SystemCall wait_task(TaskId id) {
  return [=](TaskId me, Scheduler& s) {
    if (id != me && s.exists(id))
      s.wait_for_task(me, id);
    else
      s.wake(me);
  };
}
