#pragma once

#include <any>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "scheduler.hpp"

// Tasks for tests, put together from steps: lambdas that return what the task yields next.

using Log = std::vector<std::string>;

/// Gives what an awaited thing gives, whatever its type is.
template <typename Awaited>
Coroutine<Value> ask(Awaited awaited) {
  if constexpr (std::is_void_v<decltype(awaited.await_resume())>) {
    co_await awaited;
    co_return Value();
  } else {
    auto answer = co_await awaited;
    co_return Value(std::move(answer));
  }
}

inline Coroutine<Value> take_a_turn() {
  Value sent = co_yield nothing;
  co_return sent;
}

/// What a step asks for: its turn, a system call, a call; or the value that it returns.
class Yielded {
 public:
  Yielded(Nothing) : make_(take_a_turn) {}

  template <typename T>
  Yielded(SystemCall<T> call) : make_([call] { return ask(call); }) {}

  explicit Yielded(std::function<Coroutine<Value>()> make) : make_(std::move(make)) {}

  static Yielded returned(Value value) {
    Yielded end{nothing};
    end.value_ = std::move(value);
    return end;
  }

  Coroutine<Value> made() const { return make_(); }
  const std::optional<Value>& returned_value() const { return value_; }

 private:
  std::function<Coroutine<Value>()> make_;
  std::optional<Value> value_;
};

/// A coroutine for tests: it makes its steps one by one, each gets what the yield before it gave.
/// It ends after the last one; a null step ends it as well.
class Script {
 public:
  using Step = std::function<std::optional<Yielded>(Value)>;
  using Catch = std::function<void(const std::exception&)>;

  explicit Script(std::vector<Step> steps, bool repeats = false, Catch caught = nullptr)
      : steps_(std::move(steps)), repeats_(repeats), caught_(std::move(caught)) {}

  operator Coroutine<>() && { return as_task(std::move(*this)); }

  static Coroutine<Value> run(Script script) {
    Value sent;
    for (std::size_t i = 0; i < script.steps_.size(); i += script.repeats_ ? 0 : 1) {
      std::optional<Yielded> yielded = script.steps_[i](std::exchange(sent, Value()));
      if (!yielded) co_return Value();
      if (yielded->returned_value()) co_return *yielded->returned_value();
      try {
        Coroutine<Value> made = yielded->made();
        yielded.reset();  // nobody else shall hold what it holds
        sent = co_await std::move(made);
      } catch (const std::exception& e) {
        if (!script.caught_) throw;
        script.caught_(e);
      }
    }
    co_return Value();
  }

 private:
  static Coroutine<> as_task(Script script) { co_await run(std::move(script)); }

  std::vector<Step> steps_;
  bool repeats_;
  Catch caught_;
};

inline Script script(std::vector<Script::Step> steps) {
  return Script(std::move(steps));
}

/// The same for one step, made again and again.
inline Script repeat(Script::Step step) {
  return Script({std::move(step)}, true);
}

/// A script that catches: what is thrown into it goes to `caught`, and the next step is made.
inline Script guarded(Script::Catch caught, std::vector<Script::Step> steps) {
  return Script(std::move(steps), false, std::move(caught));
}

/// Where there should be a coroutine.
inline Coroutine<> no_coroutine() {
  return Coroutine<>();
}

/// Calls any coroutine.
inline Yielded call_it(Script script) {
  return Yielded([script = std::move(script)] { return Script::run(script); });
}

/// Calls a script.
inline Yielded call(std::vector<Script::Step> steps) {
  return call_it(script(std::move(steps)));
}

/// Calls nothing.
inline Yielded call_nothing() {
  return Yielded([] { return Coroutine<Value>(); });
}

/// Returns a text to the caller.
inline Yielded give(const std::string& text) {
  return Yielded::returned(text);
}

/// A system call of the test's own.
inline Yielded system_call(Request call) {
  return SystemCall<Value>(std::move(call));
}

/// A step that writes `text` down and yields `request`.
inline Script::Step say(Log& log, std::string text, Yielded request = Nothing{}) {
  return [&log, text = std::move(text), request = std::move(request)](Value) {
    log.push_back(text);
    return request;
  };
}

/// A step that writes down `text` and what the yield before it gave: an id, true or false, a text,
/// or nothing.
inline Script::Step hear(Log& log, const std::string& text, const Yielded& request = Nothing{}) {
  return [&log, text, request](const Value& sent) -> std::optional<Yielded> {
    std::string heard = "nothing";
    if (const auto* id = std::any_cast<TaskId>(&sent)) heard = std::to_string(*id);
    if (const auto* truth = std::any_cast<bool>(&sent)) heard = *truth ? "true" : "false";
    if (const auto* words = std::any_cast<std::string>(&sent)) heard = *words;
    log.push_back(text + heard);
    return request;
  };
}

/// Writes a word down when its last copy is destroyed.
inline std::shared_ptr<void> at_destruction(Log& log, const std::string& word) {
  return std::shared_ptr<void>(nullptr, [&log, word](void*) { log.push_back(word); });
}

/// A step that only holds on to something, for as long as its script lives.
inline Script::Step hold(std::shared_ptr<void> thing) {
  return [thing = std::move(thing)](const Value&) -> std::optional<Yielded> { return Nothing{}; };
}
