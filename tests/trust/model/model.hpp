#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "program.hpp"
#include "trace.hpp"

/// The differences between the steps.
enum class Rules {
  step04,  ///< kill returns true, or false if the task does not exist; wait returns nothing
  step07,  ///< kill throws if the task does not exist; kill and wait return nothing
  step08,  ///< the same, but receive takes no turn if there is a message
  step09   ///< kill and wait throw if the task does not exist, and return true; a statement takes a
           ///< turn only if it has to wait; a killed task ends in its next turn
};

/// A description of what a scheduler must do, in plain data and without coroutines. It runs a
/// program and writes a trace.
class Model {
 public:
  Model(const Program& program, Rules rules, Trace& trace)
      : program_(program), rules_(rules), trace_(trace) {}

  void run();

 private:
  struct Frame {
    int number;
    int body;
    std::size_t next = 0;  // the index of the next statement
  };

  struct Task {
    std::vector<Frame> stack;      // the last frame runs, the others wait for their calls
    Answer answer = gets_nothing;  // the result of the current statement, for the next turn
    std::optional<int> error;      // if set, the current statement throws this instead
    bool waiting = false;          // for a task or a message, so it is not in the queue
    bool receiving = false;        // for a message
    bool dying = false;            // it was killed, and ends in its next turn
    std::vector<int> waiters;      // the tasks that wait for its end, in this order
    std::deque<int> inbox;
  };

  // These return true if the task continues in the same turn.
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
  void push(Task& task, int body);
  void pop(Task& task);
  void wake(int id, Answer answer);
  void stop(int id);
  void end(int id);
  bool exists(int id) const { return tasks_.count(id) > 0; }
  void write(const Frame& frame, Answer what) {
    trace_.write(frame.number, frame.body, what.what, what.value);
  }

  const Program& program_;
  Rules rules_;
  Trace& trace_;
  int last_task_ = 0;
  std::map<int, Task> tasks_;  // the tasks that exist
  std::map<char, int> names_;  // the last task that was started with each name
  std::deque<int> ready_;
};

/// A step that the model describes.
struct Step {
  const char* name;
  Rules rules;
  std::vector<Op> operations;
};

extern const Step step;

/// Runs a program on the scheduler of the step, and destroys the scheduler.
void run(const Program& program, Trace& trace);
