#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "program.hpp"
#include "trace.hpp"

/// In what the steps differ.
enum class Rules {
  step04,  ///< to kill a task that there is not gives false; to wait gives nothing
  step07,  ///< to kill it throws; neither kill nor wait gives anything
  step08,  ///< the same; to receive a message that is there takes no turn
  step09   ///< kill and wait throw, and give true; what need not wait takes no turn; a killed task
           ///< ends in its next one
};

/// What a scheduler must do, in plain data: no coroutine, no library of ours. It runs a program and
/// writes down what happens.
class Model {
 public:
  Model(const Program& program, Rules rules)
      : program_(program), rules_(rules), random_(program.order) {}

  Trace run();

 private:
  struct Frame {
    int number;
    int body;
    std::size_t next = 0;  // the statement that comes next
  };

  struct Task {
    std::vector<Frame> stack;      // the last one runs, the others wait for their calls
    Answer answer = gets_nothing;  // to what it has asked, at its next turn
    std::optional<int> error;      // thrown then instead
    bool waiting = false;          // for a task or a message: it does not stand in the queue
    bool receiving = false;        // it is a message
    bool dying = false;            // it was killed, and ends at its next turn
    std::vector<int> waiters;      // for its end, in the order they came
    std::deque<int> inbox;
  };

  // Each gives whether the task goes on in the same turn.
  bool step(int id);
  bool take_turn(int id);
  bool gets(int id, Answer answer);
  Answer after_wait() const { return rules_ == Rules::step09 ? gets_true : gets_nothing; }
  bool refuse(int id);
  bool leave(int id, Answer result);
  bool fail(int id, int error);
  bool kill(int id, int victim);
  bool wait(int id, int other);
  bool exec(int id, int body);
  bool fork(int id);
  bool send(int id, char name, int message);
  bool receive(int id);
  bool call(int id, int body);

  void run_ready();
  void turn(int id);
  int add(int body);
  int add(int body, char name);
  void push(Task& task, int body);
  void pop(Task& task);
  void wake(int id, Answer answer);
  void stop(int id);
  void end(int id);
  bool lives(int id) const { return tasks_.count(id) > 0; }
  void write(const Frame& frame, Answer what) {
    trace_.write(frame.number, frame.body, what.what, what.value);
  }

  const Program& program_;
  Rules rules_;
  std::minstd_rand random_;
  Trace trace_;
  int last_task_ = 0;
  std::map<int, Task> tasks_;  // those that live
  std::map<char, int> names_;
  std::deque<int> ready_;
};
