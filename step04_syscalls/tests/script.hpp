#pragma once

#include <any>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scheduler.hpp"

using Log = std::vector<std::string>;

/// A coroutine for tests, made of steps. Each turn runs the next step, and the coroutine yields
/// what the step returns. A step that returns `nullopt` finishes the coroutine, and so does the
/// last step.
class Script final : public Coroutine {
 public:
  using Step = std::function<std::optional<Yielded>(Value)>;

  explicit Script(std::vector<Step> steps) : steps_(std::move(steps)) {}

 private:
  std::vector<Step> steps_;
  std::size_t next_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    if (next_ == steps_.size()) return std::nullopt;
    return steps_[next_++](std::move(sent));
  }
};

inline std::shared_ptr<Coroutine> script(std::vector<Script::Step> steps) {
  return std::make_shared<Script>(std::move(steps));
}

/// A step that writes a text to the log and yields `yielded`.
inline Script::Step say(Log& log, std::string text, Yielded yielded = Nothing{}) {
  return [&log, text = std::move(text), yielded = std::move(yielded)](Value) {
    log.push_back(text);
    return yielded;
  };
}

/// Returns a value as text: an id, true or false, a string, or "nothing".
inline std::string text_of(const Value& value) {
  if (const auto* id = std::any_cast<TaskId>(&value)) return std::to_string(*id);
  if (const auto* truth = std::any_cast<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* text = std::any_cast<std::string>(&value)) return *text;
  return "nothing";
}

/// A step that writes to the log what the yield before it has returned, after a text, and yields
/// `yielded`.
inline Script::Step hear(Log& log, std::string text, Yielded yielded = Nothing{}) {
  return [&log, text = std::move(text), yielded = std::move(yielded)](const Value& sent) {
    log.push_back(text + text_of(sent));
    return yielded;
  };
}

/// Writes a text to the log when its last copy is destroyed.
inline std::shared_ptr<void> at_destruction(Log& log, std::string text) {
  return std::shared_ptr<void>(nullptr,
                               [&log, text = std::move(text)](void*) { log.push_back(text); });
}

/// A step that only owns something, as long as its script exists.
inline Script::Step hold(std::shared_ptr<void> thing) {
  return [thing = std::move(thing)](Value) { return Nothing{}; };
}

/// A step that yields nothing.
inline Script::Step pass() {
  return hold(nullptr);
}

/// A step that calls a function.
inline Script::Step act(std::function<void()> function) {
  return [function = std::move(function)](Value) {
    function();
    return Nothing{};
  };
}
