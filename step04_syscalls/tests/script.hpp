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

/// A coroutine for tests: it makes its steps one by one, each gets what the yield before it gave.
/// It ends after the last one; a null step ends it as well. It can be copied.
class Script final : public Coroutine {
 public:
  using Step = std::function<std::optional<Yielded>(Value)>;

  explicit Script(std::vector<Step> steps) : steps_(std::move(steps)) {}

  std::shared_ptr<Coroutine> clone() const override { return std::make_shared<Script>(*this); }

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

/// The same for one step, made again and again.
class Repeating final : public Coroutine {
 public:
  explicit Repeating(Script::Step step) : step_(std::move(step)) {}

 private:
  Script::Step step_;

  std::optional<Yielded> resume(Value sent) override { return step_(std::move(sent)); }
};

inline std::shared_ptr<Coroutine> repeat(Script::Step step) {
  return std::make_shared<Repeating>(std::move(step));
}

/// Where there should be a coroutine.
inline std::shared_ptr<Coroutine> no_coroutine() {
  return nullptr;
}

/// A system call of the test's own.
inline Yielded system_call(SystemCall call) {
  return call;
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
