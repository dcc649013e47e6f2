#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>

#include "trace_recording.hpp"

/// Records a run: which task had each turn, what was printed, where it stopped and why, and which
/// tasks were ready then. tools/trace puts the calls of this into a copy of a step; the step itself
/// knows nothing of it. Nothing of a step is declared yet where this is read, hence the templates.
namespace recorder {

inline std::string class_name(const std::type_info& type) {
  char* const readable = abi::__cxa_demangle(type.name(), nullptr, nullptr, nullptr);
  std::string name = readable;
  std::free(readable);
  return name.substr(0, name.find('<'));
}

/// A generator's own name, with a number if it is not the first of that name.
inline std::string name_of(const void* generator, bool fresh, const std::string& name) {
  static std::map<std::string, int> count;
  static std::map<const void*, std::string> names;  // an address can be used again
  if (fresh) {
    const int n = ++count[name];
    names[generator] = n == 1 ? name : name + ' ' + std::to_string(n);
  }
  return names[generator];
}

inline std::string thrown(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return "throws \"" + std::string(e.what()) + '"';
  } catch (...) {
    return "throws " + class_name(*abi::__cxa_current_exception_type());
  }
}

// What was yielded.

inline std::string words(const std::string& text) {
  return "yields \"" + text + '"';
}

template <typename Out>
auto words(const Out& value) -> decltype(std::to_string(value)) {
  return "yields " + std::to_string(value);
}

template <typename Nothing>
auto words(const Nothing&) -> std::enable_if_t<std::is_empty_v<Nothing>, std::string> {
  return "yields";
}

template <typename Request>
auto words(const Request& request) -> decltype(request.target_type(), std::string()) {
  return request ? "asks " + place.text : "yields";
}

template <typename Call>
auto words(const Call& call) -> decltype(call.callee, std::string()) {
  return "calls " + place.text;
}

template <typename ReturnValue>
auto words(const ReturnValue& result) -> decltype(result.value, std::string()) {
  return "ends";
}

template <typename... Kinds>
std::string words(const std::variant<Kinds...>& yielded) {
  return std::visit([](const auto& kind) { return words(kind); }, yielded);
}

template <typename Out>
std::string words(const std::optional<Out>& yielded) {
  return yielded ? words(*yielded) : "ends";
}

// Steps 1 to 7: the body of a generator runs to where it stops.

template <typename Generator, typename Body>
auto body(const Generator& generator, bool fresh, Body run) {
  const std::string name = class_name(typeid(generator));
  const auto stop = [&](const std::string& what) {
    recording.stop(what);
    if (!recording.task_runs) recording.end_turn(name_of(&generator, fresh, name));
  };
  if (!recording.task_runs) recording.main_printed();
  const Place outer = std::exchange(place, {});  // a body can use another generator
  try {
    auto yielded = run();
    stop(words(yielded));
    place = outer;
    return yielded;
  } catch (...) {
    stop(thrown(std::current_exception()));
    place = outer;
    throw;
  }
}

// Steps 8 and 9: the compiler has written the body.

// Coroutines that the library of step 9 has called itself. They have no place in the program, so
// the recording doesn't tell of them.
inline std::set<const void*> inside;

template <typename Handle, typename Promise, typename Reason>
void resume_frame(Handle handle, const Promise& promise, Reason reason) {
  handle.resume();
  const bool done = handle.done();
  if (done && inside.erase(&promise) > 0 && place.line.empty()) return;
  const std::string end = promise.error ? thrown(promise.error) : "ends";
  const std::string what = done ? end : reason();
  if (!what.empty()) recording.stop(what);
}

template <typename Generator>
void generator(const Generator& generator, bool fresh) {
  if (!recording.task_runs) recording.main_printed();
  const Place outer = std::exchange(place, {});  // a body can use another generator
  auto& frame = *generator.promise_;
  resume_frame(frame.handle(), frame, [&] { return words(frame.current); });
  if (!recording.task_runs) recording.end_turn(name_of(&frame, fresh, place.function));
  place = outer;
}

// The innermost coroutine of a task runs to where it suspends.

template <typename Task, typename Promise>
void call(Task& task, Promise& frame) {
  place = {};
  resume_frame(frame.handle, frame, [&]() -> std::string {
    if (task.innermost_ != &frame) return "calls " + place.text;
    if (!task.request) return "yields";
    return place.text.empty() ? "asks" : "asks " + place.text;  // empty in a header
  });
}

template <typename Task, typename Promise>
void resume(Task& task, Promise* frame) {
  place = {};
  resume_frame(frame->handle(), *frame, [&]() -> std::string {
    if (frame->yields) return "yields";
    if (task.innermost_ != frame && !place.text.empty()) {
      inside.erase(task.innermost_);  // an address can be used again
      return "calls " + place.text;
    }
    if (task.innermost_ != frame) {
      inside.insert(task.innermost_);
      return "";
    }
    std::string events;
    for (const auto& wait : task.waiting_->waits()) {
      const std::string event = wait.event->description();
      if (!event.empty()) events += (events.empty() ? "waits for " : " or ") + event;
    }
    return events;
  });
}

// From step 3 on: a task has its turn.

// An id in the queue, as text: in parentheses if its task no longer exists and is only skipped.

template <typename Scheduler>
std::string label(Scheduler& scheduler, long long id) {
  const std::string text = std::to_string(id);
  return scheduler.find(id) ? text : '(' + text + ')';
}

template <typename Scheduler, typename Task>
std::string label(Scheduler& scheduler, const std::shared_ptr<Task>& task) {
  return label(scheduler, task->id);
}

template <typename Scheduler, typename Task>
auto label(Scheduler&, const Task& task) -> decltype(std::to_string(task.id)) {
  return std::to_string(task.id);
}

template <typename Scheduler, typename Task>
auto label(Scheduler&, Task* task) -> decltype(std::to_string(task->id())) {
  const std::string text = std::to_string(task->id());
  return task->is_finished() ? '(' + text + ')' : text;
}

template <typename Scheduler, typename Promise>
auto label(Scheduler&, Promise* frame) -> decltype(std::to_string(frame->task->id())) {
  return frame ? std::to_string(frame->task->id()) : "";  // of a destroyed task
}

template <typename Scheduler, typename Queue>
std::string labels(Scheduler& scheduler, Queue& ready) {
  std::string queue;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    const std::string text = label(scheduler, ready[i]);
    if (!text.empty()) queue += ' ' + text;
  }
  return queue;
}

template <typename Scheduler, typename Id, typename Queue, typename Run>
void turn(Scheduler& scheduler, Id id, Queue& ready, Run run) {
  recording.begin_task_turn();
  place = {};
  std::exception_ptr error;
  try {
    run();
  } catch (...) {
    error = std::current_exception();
  }
  recording.task_runs = false;
  recording.end_task_turn(std::to_string(id), labels(scheduler, ready));
  if (error) std::rethrow_exception(error);
}

// Step 3: the loop may be a learner's, so its queue is read at the beginning of the next turn. The
// task of that turn is the first one then.

template <typename Scheduler, typename Task, typename Queue>
auto run(Scheduler& scheduler, Task& task, Queue& ready) {
  std::string queue = ' ' + label(scheduler, task);
  for (const Task& other : ready) {
    if (&other != &task) queue += ' ' + label(scheduler, other);
  }
  recording.begin_task_turn(std::to_string(task.id), queue);
  place = {};
  return task.run();
}

// Steps 4 to 8: a task that no longer exists has no turn. In step 8, the queue contains the tasks.

inline long long id_of(long long id) {
  return id;
}

template <typename Task>
long long id_of(const std::shared_ptr<Task>& task) {
  return task->id;
}

template <typename Scheduler, typename Run>
auto next_turn(Scheduler& scheduler, Run run) -> decltype(scheduler.ready_, void()) {
  const long long id = id_of(scheduler.ready_.front());
  if (!scheduler.find(id)) return run();
  turn(scheduler, id, scheduler.ready_, run);
}

// Step 9: the queue holds the innermost frame of each task.

template <typename Scheduler, typename Frame, typename Run>
void frame_turn(Scheduler& scheduler, Frame* frame, Run run) {
  turn(scheduler, frame->task->id(), scheduler.ready, run);
}

}  // namespace recorder
