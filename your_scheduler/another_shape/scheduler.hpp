#pragma once

// A solution in another shape than ours: no class Task, one map of records with states instead of
// two lists, a poll that looks at all records, and a chain of frames instead of a stack. It is
// slower.

#include <poll.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <vector>

#include "coroutine.hpp"

class Scheduler {
 public:
  TaskId new_task(std::shared_ptr<Coroutine> body) {
    Record& record = records_[++last_];
    record.pile.call(body);
    record.since = ++clock_;
    return last_;
  }

  bool exists(TaskId id) const { return records_.count(id) == 1; }

  void wake(TaskId id, Value answer = {}) {
    const auto found = records_.find(id);
    if (found == records_.end()) return;
    found->second.state = ready;
    found->second.answer = answer;
    found->second.since = ++clock_;
  }

  void fail(TaskId id, std::exception_ptr error) {
    wake(id);
    if (exists(id)) records_.at(id).error = error;
  }

  void wait_for_fd(TaskId id, int fd, short events) {
    Record& record = records_.at(id);
    record.state = waits_for_fd;
    record.socket = {fd, events, 0};
  }

  void wait_for_task(TaskId id, TaskId other) {
    records_.at(id).state = waits_for_task;
    records_.at(other).waiting.push_back(id);
  }

  bool kill(TaskId id) {
    const auto found = records_.find(id);
    if (found == records_.end()) return false;
    Record gone = std::move(found->second);
    records_.erase(found);
    for (TaskId other : gone.waiting)
      if (exists(other) && records_.at(other).state == waits_for_task) wake(other);
    return true;
  }

  void run() {
    while (true) {
      const bool any_ready = longest_ready() != 0;
      if (!any_ready && !any_waits_for_fd()) return;
      look_at_sockets(any_ready ? 0 : -1);
      if (const TaskId id = longest_ready()) turn(id);
    }
  }

 private:
  enum State { ready, waits_for_fd, waits_for_task, asleep };
  struct Frame {
    std::shared_ptr<Coroutine> body;
    std::unique_ptr<Frame> caller;
    bool is_fresh = true;
  };
  struct Pile {
    std::unique_ptr<Frame> top;
    Pile() = default;
    Pile(Pile&&) = default;
    ~Pile() {
      while (top) finish();
    }
    void call(std::shared_ptr<Coroutine> body) {
      auto frame = std::make_unique<Frame>();
      frame->body = std::move(body);
      frame->caller = std::move(top);
      top = std::move(frame);
    }
    void finish() {
      const std::unique_ptr<Frame> finished = std::move(top);
      top = std::move(finished->caller);
    }
  };
  struct Record {
    Pile pile;
    std::exception_ptr error;
    State state = ready;
    std::uint64_t since = 0;  // when it became ready
    Value answer;
    pollfd socket{-1, 0, 0};
    std::vector<TaskId> waiting;
  };

  TaskId longest_ready() const {
    TaskId best = 0;
    for (const auto& [id, record] : records_)
      if (record.state == ready && (best == 0 || record.since < records_.at(best).since)) best = id;
    return best;
  }

  bool any_waits_for_fd() const {
    for (const auto& [id, record] : records_)
      if (record.state == waits_for_fd) return true;
    return false;
  }

  void look_at_sockets(int timeout) {
    std::vector<pollfd> sockets;
    std::vector<TaskId> ids;
    for (const auto& [id, record] : records_) {
      if (record.state != waits_for_fd) continue;
      sockets.push_back(record.socket);
      ids.push_back(id);
    }
    if (sockets.empty()) return;
    ::poll(sockets.data(), sockets.size(), timeout);
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (sockets[i].revents) wake(ids[i]);
  }

  void turn(TaskId id) {
    Record& record = records_.at(id);
    record.state = asleep;
    std::exception_ptr error = std::exchange(record.error, nullptr);
    Value answer = std::exchange(record.answer, Value());
    while (Frame* const top = record.pile.top.get()) {
      std::optional<Yielded> yielded;
      try {
        const bool is_first = std::exchange(top->is_fresh, false);
        if (error)
          top->body->throw_into(std::exchange(error, nullptr));
        else if (!is_first)
          top->body->send(std::exchange(answer, Value()));
        yielded = top->body->take();
      } catch (...) {
        error = std::current_exception();
      }
      if (!yielded) {
        record.pile.finish();
      } else if (Call* const call = std::get_if<Call>(&*yielded)) {
        record.pile.call(std::move(call->body));
      } else if (ReturnValue* const value = std::get_if<ReturnValue>(&*yielded)) {
        answer = std::move(value->result);
        record.pile.finish();
      } else {
        return perform(id, std::move(*yielded));
      }
    }
    if (error) complain(id, error);
    kill(id);
  }

  void perform(TaskId id, Yielded what) {
    SystemCall* const form = std::get_if<SystemCall>(&what);
    if (!form) return wake(id);
    try {
      (*form)(id, *this);
    } catch (...) {
      fail(id, std::current_exception());
    }
  }

  static void complain(TaskId id, std::exception_ptr error) {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "task %lld: %s\n", id, e.what());
    } catch (...) {
      std::fprintf(stderr, "task %lld: an unknown error\n", id);
    }
  }

  std::map<TaskId, Record> records_;
  TaskId last_ = 0;
  std::uint64_t clock_ = 0;
};
