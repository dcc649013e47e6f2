#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>

/// Marks a run: which task has each turn, where it stops and why, and which tasks are ready then.
/// A mark is a line of std::cout that begins with the character 1; trace_turns.awk reads them.
/// tools/trace/trace puts the calls of this into a copy of a step; the step itself knows nothing of
/// it. Nothing of a step is declared yet where this is read, hence the templates.
namespace recorder {

/// Where a body stops: the latest one that was passed. `text` is the part of that line which says
/// what for.
struct Place {
  std::string line, text, function;
};
inline Place place;

inline void at(const char* line, const char* text, const char* function) {
  place = {line, text, function};
}

/// Ends the program if no more is read: of a long run, only the beginning is.
inline void mark(const std::string& fact) {
  std::cout << '\1' << fact << std::endl;
  if (!std::cout) std::_Exit(0);
}

inline void stop(const std::string& what) {
  mark("stop " + (place.line.empty() ? "-" : place.line) + ' ' + what);
}

inline std::string class_name(const std::type_info& type) {
  char* const readable = abi::__cxa_demangle(type.name(), nullptr, nullptr, nullptr);
  std::string name = readable;
  std::free(readable);
  return name.substr(0, name.find('<'));
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

template <typename Out>
std::string words(const Out& value) {
  if constexpr (std::is_empty_v<Out>) {
    return "yields";
  } else if constexpr (std::is_arithmetic_v<Out>) {
    return "yields " + std::to_string(value);
  } else if constexpr (std::is_convertible_v<const Out&, std::string>) {
    return "yields \"" + std::string(value) + '"';
  } else if constexpr (std::is_constructible_v<bool, const Out&>) {  // a system call
    return value ? "asks " + place.text : "yields";
  } else {
    const std::string name = class_name(typeid(value));
    return name == "Call" ? "calls " + place.text : name == "ReturnValue" ? "ends" : "yields";
  }
}

template <typename... Kinds>
std::string words(const std::variant<Kinds...>& yielded) {
  return std::visit([](const auto& kind) { return words(kind); }, yielded);
}

template <typename Out>
std::string words(const std::optional<Out>& yielded) {
  return yielded ? words(*yielded) : "ends";
}

/// Runs a body to where it stops. `fresh` tells whether it has just begun: the address of a
/// generator can be used again.
template <typename Run>
void body(const void* generator, bool fresh, Run run) {
  mark("begin");
  const Place outer = std::exchange(place, {});  // a body can use another generator
  const std::string name = run();
  mark("end " + std::to_string(reinterpret_cast<std::size_t>(generator)) + (fresh ? " 1 " : " 0 ") +
       (name.empty() ? place.function : name));
  place = outer;
}

// Steps 1 to 7.

template <typename Generator, typename Resume>
auto by_hand(const Generator& generator, bool fresh, Resume resume) {
  decltype(resume()) yielded;
  std::exception_ptr error;
  body(&generator, fresh, [&] {
    try {
      yielded = resume();
      stop(words(yielded));
    } catch (...) {
      error = std::current_exception();
      stop(thrown(error));
    }
    return class_name(typeid(generator));
  });
  if (error) std::rethrow_exception(error);
  return yielded;
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
  if (!what.empty()) stop(what);
}

template <typename Promise>
void generator(Promise& frame, bool fresh) {
  body(&frame, fresh, [&] {
    resume_frame(frame.handle(), frame, [&] { return words(frame.current); });
    return std::string();  // its name is that of the function
  });
}

// The innermost coroutine of a task runs to where it suspends.

template <typename Task, typename Promise>
void call(Task& task, Promise& frame, Promise* const& innermost) {
  place = {};
  resume_frame(frame.handle, frame, [&]() -> std::string {
    if (innermost != &frame) return "calls " + place.text;
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
    return "waits for " + task.waiting_->description();
  });
}

// From step 3 on: a task has its turn.

// Step 3: the loop may be a learner's, so its queue is read at the beginning of the next turn. The
// task of that turn is the first one then.

inline std::map<const void*, int> numbers;  // of its coroutines: a task doesn't know its own
inline int last_number = 0;

template <typename Body>
Body created(Body body) {
  numbers[body.get()] = ++last_number;
  return body;
}

template <typename Task, typename Queue>
auto run(Task& task, Queue& ready) {
  std::string queue = std::to_string(numbers[task.coroutine.get()]);
  for (const Task& other : ready) {
    if (&other != &task) queue += ' ' + std::to_string(numbers[other.coroutine.get()]);
  }
  mark("task " + queue);
  place = {};
  return task.run();
}

// From step 4 on: `label` makes of an element of the queue the text that the recording has of it.

template <typename Queue, typename Label, typename Run>
void turn(long long id, Queue& ready, Label label, Run run) {
  mark("task");
  place = {};
  std::exception_ptr error;
  try {
    run();
  } catch (...) {
    error = std::current_exception();
  }
  std::string queue;
  for (std::size_t i = 0; i < ready.size(); ++i) queue += label(ready[i]);
  mark("turn " + std::to_string(id) + queue);
  if (error) std::rethrow_exception(error);
}

// Steps 4 to 8: a task that no longer exists has no turn, and stands in parentheses in the queue.
// In step 8, the queue contains the tasks.

inline long long id_of(long long id) {
  return id;
}

template <typename Task>
long long id_of(const std::shared_ptr<Task>& task) {
  return task->id;
}

template <typename Scheduler, typename Queue, typename Run>
void next_turn(Scheduler& scheduler, Queue& ready, Run run) {
  const long long id = id_of(ready.front());
  if (!scheduler.find(id)) return run();
  const auto label = [&](const auto& task) {
    const std::string text = std::to_string(id_of(task));
    return scheduler.find(id_of(task)) ? ' ' + text : " (" + text + ')';
  };
  turn(id, ready, label, run);
}

// Step 9: the queue holds the innermost frame of each task, or null for one that was destroyed.

template <typename Promise, typename Queue, typename Run>
void frame_turn(Promise* frame, Queue& ready, Run run) {
  const auto label = [](const Promise* other) {
    return other ? ' ' + std::to_string(other->task->id()) : "";
  };
  turn(frame->task->id(), ready, label, run);
}

}  // namespace recorder
