#pragma once

#include <any>
#include <memory>
#include <optional>
#include <utility>

#include "frame.hpp"
#include "mailbox.hpp"
#include "process.hpp"

inline Answer answer_of(const Value& sent) {
  if (const auto* const id = std::any_cast<TaskId>(&sent)) return gets_task(static_cast<int>(*id));
  if (const auto* const truth = std::any_cast<bool>(&sent)) return *truth ? gets_true : gets_false;
  if (const auto* const number = std::any_cast<int>(&sent)) return gets_number(*number);
  return sent.has_value() ? Answer{"gets something else"} : gets_nothing;
}

inline SystemCall new_actor(std::shared_ptr<Coroutine> coroutine, char name) {
  return [coroutine = std::move(coroutine), name](Task& task, Scheduler& scheduler) mutable {
    task.set_send_value(scheduler.new_task(std::move(coroutine), std::string(1, name)));
    scheduler.schedule(task);
  };
}

/// Interprets a body: a generator by hand. `Self` is the class that derives from it.
template <typename Self>
class Interpreter : public Coroutine {
 public:
  explicit Interpreter(Frame frame) : frame_(std::move(frame)) {}

  std::shared_ptr<Coroutine> clone() const override {
    return std::make_shared<Self>(static_cast<const Self&>(*this));
  }

 protected:
  std::optional<Yielded> go_on() {
    const Statement* const statement = frame_.next();
    if (!statement) return std::nullopt;
    return ask(*statement);
  }

  virtual std::optional<Yielded> ask(const Statement& statement) {
    const int number = statement.number;
    switch (statement.op) {
    case Op::yield:
      return Nothing{};
    case Op::id:
      return get_task_id();
    case Op::spawn:
      return new_task(made(number));
    case Op::actor:
      return new_actor(made(number), statement.name);
    case Op::kill:
      return kill_task(number);
    case Op::wait:
      return wait_task(number);
    case Op::exec:
      return exec_task(made(number));
    case Op::fork:
      return fork_task();
    case Op::send:
      return send_message(std::string(1, statement.name), number);
    case Op::receive:
      return receive_message();
    case Op::raise:
      throw Raised(number);
    default:
      return std::nullopt;
    }
  }

  std::shared_ptr<Coroutine> made(int body) const {
    return std::make_shared<Self>(Frame(frame_.run(), body));
  }

  Frame frame_;

 private:
  std::optional<Yielded> resume(Value sent) override {
    if (frame_.has_started()) frame_.gets(answer_of(sent));
    return go_on();
  }
};
