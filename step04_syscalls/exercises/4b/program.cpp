#include <any>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "process.hpp"
#include "small_unix.hpp"

/// A command: asks for its id and prints two lines, one per turn.
class Command final : public Coroutine {
 public:
  explicit Command(std::string name) : name_(std::move(name)) {}

 private:
  enum class State { start, got_id, yielded };
  State state_ = State::start;
  std::string name_;
  TaskId id_ = 0;
  int i_ = 0;

  std::optional<Yielded> resume(Value sent) override {
    switch (state_) {
    case State::start:
      state_ = State::got_id;
      return get_task_id();  // id = yield get_task_id()
    case State::got_id:
      id_ = std::any_cast<TaskId>(sent);
      for (i_ = 1; i_ <= 2; ++i_) {
        std::cout << "Task " << id_ << ": " << name_ << ", line " << i_ << " of 2.\n";
        state_ = State::yielded;
        return Nothing{};  // yield
      case State::yielded:;
      }
    }
    return std::nullopt;
  }
};

/// Runs one command after the other.
class Shell final : public Coroutine {
 public:
  explicit Shell(std::vector<std::string> names) : names_(std::move(names)) {}

 private:
  enum class State { start, executed };
  State state_ = State::start;
  std::vector<std::string> names_;
  std::size_t i_ = 0;

  std::optional<Yielded> resume(Value) override {
    switch (state_) {
    case State::start:
      for (i_ = 0; i_ < names_.size(); ++i_) {
        std::cout << "$ " << names_[i_] << '\n';
        state_ = State::executed;
        return exec_task(std::make_shared<Command>(names_[i_]));  // yield exec_task(...)
      case State::executed:;
      }
    }
    std::cout << "The shell finishes.\n";
    return std::nullopt;
  }
};

int main() {
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Shell>(std::vector<std::string>{"sort", "count"}));
  scheduler.run();
}
