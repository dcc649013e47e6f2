#pragma once

#include <any>
#include <map>
#include <memory>
#include <optional>
#include <string>
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

/// The mailboxes of all tasks, and the tasks that have names.
struct Post {
  Mailboxes mailboxes;
  std::map<char, TaskId> names;
};

/// Interprets a body. `Self` is the class that is derived from this one.
template <typename Self>
class Interpreter : public Coroutine {
 public:
  Interpreter(Frame frame, Post* post) : frame_(std::move(frame)), post_(post) {}

 protected:
  std::optional<Yielded> proceed() {
    const Statement* const statement = frame_.next();
    if (!statement) return std::nullopt;
    return ask(*statement);
  }

  virtual std::optional<Yielded> ask(const Statement& statement) {
    const int number = statement.number;
    const char name = statement.name;
    switch (statement.op) {
    case Op::yield:
      return Nothing{};
    case Op::id:
      return get_task_id();
    case Op::spawn:
      return new_task(made(number));
    case Op::actor:
      return SystemCall(
          [post = post_, actor = made(number), name](TaskId asker, Scheduler& scheduler) {
            post->names[name] = scheduler.new_task(actor);
            scheduler.schedule(asker, post->names[name]);
          });
    case Op::kill:
      return kill_task(number);
    case Op::wait:
      return wait_task(number);
    case Op::send:
      return send_message(post_->mailboxes, std::to_string(post_->names[name]), number);
    case Op::receive:
      return SystemCall([post = post_](TaskId asker, Scheduler& scheduler) {
        receive_message(post->mailboxes, std::to_string(asker))(asker, scheduler);
      });
    case Op::raise:
      throw Raised(number);
    default:
      return std::nullopt;
    }
  }

  std::shared_ptr<Coroutine> made(int body) const {
    return std::make_shared<Self>(Frame(frame_.run(), body), post_);
  }

  Frame frame_;

 private:
  Post* post_;

  std::optional<Yielded> resume(Value sent) override {
    if (frame_.has_started()) frame_.gets(answer_of(sent));
    return proceed();
  }
};

/// Runs a program. `Self` is the class of its coroutines.
template <typename Self>
void run_by_hand(const Program& program, Trace& trace) {
  Post post;
  Scheduler scheduler;
  scheduler.new_task(std::make_shared<Self>(Frame({&program, &trace}, 0), &post));
  scheduler.run();
  kill_living(scheduler, scheduler.new_task(nullptr), trace);
}
