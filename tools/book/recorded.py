"""Programs, and recordings of them, for the tests."""
import json
import tempfile
import unittest
from pathlib import Path

from turns import Turns

PROGRAM = '''class Body {
  resume() {
    switch (state_) {
    case State::start:
      state_ = State::yielded;
      return Nothing{};  // yield
    case State::yielded:
      say();
    }
    return std::nullopt;
  }
};
int main() {
  scheduler.new_task(Body());
  scheduler.run();
}
'''
COMPILED = PROGRAM.replace('case State::', 'case ').replace('return Nothing{};  // yield', 'co_yield 1;')
LOOP = '''  void run() {
    take();
    ready_.pop_front();
    if (task.run()) ready_.push_back(task);
  }
'''
KILLS = LOOP.replace('if (task.run()) ready_.push_back(task);', '(*call)(id);') + '''  bool kill_task(TaskId id) {
    const auto killed = tasks_.extract(id);
    if (killed.empty()) return false;
    waits_.erase(id);
    for (const TaskId waiter : killed.mapped().waiters) schedule(waiter);
    return true;
  }
'''


# A program and a header of steps 6 and 7.
STACKED = '''class Outer {
  resume() {
    return Call{Inner()};  // yield Inner()
    return std::nullopt;
    return Nothing{};  // yield
    switch (state_) {}
  }
};
class Inner { resume() { return ReturnValue{7}; } };
'''
TASK = '''class Task {
  std::optional<Yielded> run() {
    while (!stack_.empty()) {
      try { yielded = std::move(resume_innermost());
      } catch (...) {
        exception = std::current_exception();
      }
      if (!yielded) {
        stack_.pop_back();
      } else if (auto* const call = std::get_if<Call>(&*yielded)) {
        stack_.push_back(std::move(call->callee));
        started_ = false;
      } else if (auto* const result = std::get_if<ReturnValue>(&*yielded)) {
        stack_.pop_back();
        answer = std::move(result->value);
      } else {
        return yielded;
      }
    }
    if (exception) std::rethrow_exception(exception);
    return std::nullopt;
  }
};
'''
# The same in step 8.
COMPILED_STACK = '''Coroutine<> outer() {
  co_await inner();
}
Coroutine<> inner() {
  co_yield nothing;
}
int main() {
'''
COMPILED_TASK = '''class Task {
  bool run() {
    request = nullptr;
    while (innermost_) {
      Promise& resumed = *innermost_;
      resumed.handle.resume();
      if (resumed.handle.done()) {
        pop();
      } else if (innermost_ == &resumed) {
        return true;
      }
    }
    if (error_) std::rethrow_exception(error_);
    return false;
  }
};
'''
OUTER, INNER = ({'id': name, 'name': name, 'state': '-', 'has': {}} for name in ('Outer', 'Inner'))


def stop(line, function='main', file='program.cpp', **held):
    """A stop in main, in run(), or in the body with the address 1."""
    stack = [['main', 'program.cpp', 15 if function != 'main' else line, '']]
    if function != 'main':
        stack.append(['Scheduler::run', 'scheduler.hpp', line if file == 'scheduler.hpp' else 4, 's'])
    if function == 'Body::resume':
        stack.append([function, 'program.cpp', line, '1'])
    return {'kind': 'line', 'stack': stack, 'queue': [], 'tasks': {}, 'waits': {}, 'runs': None, 'made': {}, **held}


def body(state, **members):
    return {'1': [{'id': '1', 'name': 'Body', 'state': state, 'has': members}]}


def run(*lines, **held):
    return stop(lines[0], 'run', 'scheduler.hpp', **held)


def in_run(line, bodies, **held):
    """A stop in Task::run(), which has a stack of these bodies."""
    return {**run(4, runs=1, tasks={'1': bodies}, **held), 'stack': [*run(4)['stack'], ['Task::run', 'task.hpp', line, 't']]}


def in_body(line, bodies, **held):
    """A stop in the innermost body."""
    its = bodies[-1]
    return {**in_run(4, bodies, **held), 'stack': [*in_run(4, bodies)['stack'], [f'{its["name"]}::resume', 'program.cpp', line, its['id']]]}


RECORDING = [
    stop(14),
    stop(15, queue=[1], tasks=body('start')),
    run(3, queue=[1], tasks=body('start')),
    run(4, runs=1, tasks=body('start')),
    stop(3, 'Body::resume', runs=1, tasks=body('start')),
    stop(5, 'Body::resume', runs=1, tasks=body('start')),
    stop(6, 'Body::resume', runs=1, tasks=body('yielded')),
    run(3, queue=[1], tasks=body('yielded')),
    run(4, runs=1, tasks=body('yielded')),
    stop(3, 'Body::resume', runs=1, tasks=body('yielded')),
    stop(8, 'Body::resume', runs=1, tasks=body('yielded')),
    stop(10, 'Body::resume', runs=1, tasks=body('yielded', i_='7'), out='hello\n'),
    run(2),
    {'kind': 'end', 'stack': []},
]


class Recorded(unittest.TestCase):
    """A test with the turns of a recording."""

    def spoken(self, recording, loop):
        return [words for event in self.made(recording, '\n'.join(loop)).events for words in [event['words']] if 'socket' in words]

    def made(self, recording, loop=LOOP, program=PROGRAM, step='step03', **headers):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = Path(folder.name)
        (root / step).mkdir()
        (root / step / 'program.cpp').write_text(program)
        for name, text in {'scheduler': loop, **headers}.items():
            (root / step / f'{name}.hpp').write_text(text)
        return Turns(root, step, 'program', '\n'.join(map(json.dumps, recording)))

    def setUp(self):
        self.turns = self.made(RECORDING)

    def events(self, who):
        return [event for event in self.turns.events if event['who'] == who]

    def stacked(self, *stops, loop=LOOP, task=TASK):
        """A run of a task that has a stack."""
        return self.made([*RECORDING[:3], run(4, runs=1, tasks={'1': [OUTER]}), *stops, run(2), RECORDING[-1]], loop, STACKED, step='step06', task=task)

    def served(self, *happens):
        """A run in which task 1 waits for a socket, and a client does something."""
        loop = ['', '  void poll_sockets() {', '    if (::poll(polled.data()))', '  }', '  void run() {', '    pop_front();', '    (*call)(id);', '  }']
        waits = {'waits': {'1': [5, 'read', '']}, 'net': '0.40\nanna|5|open|1|2\n'}
        call = run(7, runs=1, tasks=body('yielded'))
        call['stack'][-1][0] = 'Scheduler::run_next'
        polls = {**run(3, tasks=body('yielded'), **waits), 'stack': [['main', 'program.cpp', 15, ''], ['Scheduler::poll_sockets', 'scheduler.hpp', 3, 's']]}
        return [*RECORDING[:3], run(6, runs=1, tasks=body('start')), *RECORDING[4:7], call,
                *({**polls, 'kind': 'net', 'what': what} for what in happens), {**polls, 'queue': [1]}, run(2, queue=[1], tasks=body('yielded')),
                run(6, runs=1, tasks=body('yielded')), *RECORDING[9:12], run(2), RECORDING[-1]], '\n'.join(loop)
