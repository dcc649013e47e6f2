#include "model.hpp"

#include <iterator>
#include <utility>

/// Finally, the tasks that wait forever are killed in the order of their ids.
void Model::run() {
  add(0);
  run_ready();
  const std::map<int, Task> left = tasks_;
  for (const auto& [id, task] : left) trace_.write(0, 0, "lives", id);
  for (const auto& [id, task] : left) stop(id);
  run_ready();
}

void Model::run_ready() {
  while (!ready_.empty()) {
    const int id = ready_.front();
    ready_.pop_front();
    if (exists(id)) turn(id);
  }
}

/// The innermost frame gets the result of its statement and continues.
void Model::turn(int id) {
  Task& task = tasks_.at(id);
  if (task.dying) return end(id);
  bool continues = true;
  if (task.error) {
    continues = fail(id, *std::exchange(task.error, std::nullopt));
  } else if (task.stack.back().next > 0) {
    write(task.stack.back(), std::exchange(task.answer, gets_nothing));
  }
  while (continues) continues = step(id);
}

bool Model::step(int id) {
  Frame& frame = tasks_.at(id).stack.back();
  const Body& body = program_.at(static_cast<std::size_t>(frame.body));
  if (frame.next == body.size()) return leave(id, gets_nothing);
  write(frame, {"does", static_cast<int>(frame.next)});
  const Statement& statement = body[frame.next++];
  const int number = statement.number;
  switch (statement.op) {
  case Op::yield:
    return take_turn(id);
  case Op::id:
    return gets(id, gets_task(id));
  case Op::spawn:
    return gets(id, gets_task(add(number)));
  case Op::actor:
    return gets(id, gets_task(names_[statement.name] = add(number)));
  case Op::kill:
    return kill(id, number);
  case Op::wait:
    return wait(id, number);
  case Op::exec:
    return exec(id, number);
  case Op::fork:
    return fork(id);
  case Op::send:
    return send(id, statement.name, number);
  case Op::receive:
    return receive(id);
  case Op::call:
    return call(id, number);
  case Op::give:
    return leave(id, gets_number(number));
  case Op::raise:
    return fail(id, number);
  case Op::finish:
    return leave(id, gets_nothing);
  }
  return false;
}

bool Model::take_turn(int id) {
  ready_.push_back(id);
  return false;
}

/// The statement has its result at once. In most steps, it takes a turn nevertheless.
bool Model::gets(int id, Answer answer) {
  Task& task = tasks_.at(id);
  if (rules_ == Rules::step09) {
    write(task.stack.back(), answer);
    return true;
  }
  task.answer = answer;
  return take_turn(id);
}

/// The task of the statement does not exist.
bool Model::refuse(int id) {
  if (rules_ == Rules::step04) return gets(id, gets_false);
  if (rules_ == Rules::step09) return fail(id, invalid_id);
  tasks_.at(id).error = invalid_id;
  return take_turn(id);
}

/// The innermost frame ends and is destroyed, and then its caller continues.
bool Model::leave(int id, Answer result) {
  Task& task = tasks_.at(id);
  pop(task);
  if (task.stack.empty()) {
    end(id);
    return false;
  }
  write(task.stack.back(), result);
  return true;
}

/// Destroys the frames that do not catch the exception. The innermost frame that does continues.
bool Model::fail(int id, int error) {
  Task& task = tasks_.at(id);
  while (!task.stack.empty()) {
    const Frame& frame = task.stack.back();
    const Body& body = program_.at(static_cast<std::size_t>(frame.body));
    if (body[frame.next - 1].guarded) {
      write(frame, {"catches", error});
      return true;
    }
    pop(task);
  }
  end(id);
  trace_.write(0, 0, "uncaught", error);
  return false;
}

bool Model::kill(int id, int victim) {
  if (!exists(victim)) return refuse(id);
  if (victim == id) {
    end(id);
    return false;
  }
  stop(victim);
  return gets(id, rules_ == Rules::step04 ? gets_true : after_wait());
}

bool Model::wait(int id, int other) {
  if (other == id || other < 1 || other > last_task_)
    return rules_ == Rules::step09 ? refuse(id) : gets(id, gets_nothing);
  if (!exists(other)) return gets(id, after_wait());
  tasks_.at(other).waiters.push_back(id);
  tasks_.at(id).waiting = true;
  return false;
}

/// The task keeps its waiters, its name and its messages.
bool Model::exec(int id, int body) {
  Task& task = tasks_.at(id);
  while (!task.stack.empty()) pop(task);
  push(task, body);
  return take_turn(id);
}

/// The copy has its turn first. It has no name, no messages and no waiters.
bool Model::fork(int id) {
  Task& copy = tasks_[++last_task_];
  copy.stack = tasks_.at(id).stack;
  for (Frame& frame : copy.stack) frame.number = trace_.new_frame();
  ready_.push_back(last_task_);
  return gets(id, gets_task(last_task_));
}

/// A message to an unknown name is dropped.
bool Model::send(int id, char name, int message) {
  if (const auto found = names_.find(name); found != names_.end()) {
    Task& receiver = tasks_.at(found->second);
    if (receiver.receiving) {
      wake(found->second, gets_number(message));
    } else {
      receiver.inbox.push_back(message);
    }
  }
  return gets(id, gets_nothing);
}

bool Model::receive(int id) {
  Task& task = tasks_.at(id);
  if (task.inbox.empty()) {
    task.waiting = task.receiving = true;
    return false;
  }
  const int message = task.inbox.front();
  task.inbox.pop_front();
  if (rules_ != Rules::step08) return gets(id, gets_number(message));
  write(task.stack.back(), gets_number(message));
  return true;
}

bool Model::call(int id, int body) {
  push(tasks_.at(id), body);
  return true;
}

int Model::add(int body) {
  push(tasks_[++last_task_], body);
  ready_.push_back(last_task_);
  return last_task_;
}

void Model::push(Task& task, int body) {
  task.stack.push_back({trace_.new_frame(), body});
}

void Model::pop(Task& task) {
  write(task.stack.back(), {"is gone"});
  task.stack.pop_back();
}

void Model::wake(int id, Answer answer) {
  Task& task = tasks_.at(id);
  task.waiting = task.receiving = false;
  task.answer = answer;
  ready_.push_back(id);
}

/// Ends a task now, or in step 9 in its next turn, for which it is woken.
void Model::stop(int id) {
  if (rules_ != Rules::step09) return end(id);
  Task& task = tasks_.at(id);
  task.dying = true;
  if (task.waiting) wake(id, gets_nothing);
}

/// Destroys all frames, the innermost first. Then it wakes the waiters in their order.
void Model::end(int id) {
  Task& task = tasks_.at(id);
  while (!task.stack.empty()) pop(task);
  for (const int waiter : task.waiters) {
    if (exists(waiter) && tasks_.at(waiter).waiting) wake(waiter, after_wait());
  }
  for (auto name = names_.begin(); name != names_.end();) {
    name = name->second == id ? names_.erase(name) : std::next(name);
  }
  tasks_.erase(id);
}
