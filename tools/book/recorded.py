"""Programs, and recordings of them, for the tests."""
import json
import tempfile
import unittest
from pathlib import Path

from says import sentences
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
COMPILED = '''Coroutine<> outer() {
  co_await inner();
}
Coroutine<> inner() {
  co_yield nothing;
}
'''
LOOP = '''  void run() {
    take();
    ready_.pop_front();
    if (task.run()) ready_.push_back(task);
  }

  void run_next() {
    (*call)(id);
  }

  void poll_sockets() {
    if (::poll(polled.data()))
  }
'''
TASK = '''class Task {
  bool run() {
    resumed.handle.resume();
    pop();
    std::rethrow_exception(error_);
  }
};
'''


def body(state='-', name='Body', ident='1', **members):
    return {'id': ident, 'name': name, 'state': state, 'has': members}


def stop(line, *inner, **held):
    """A stop in main, or in what it calls: functions with their files, lines and objects."""
    stack = [['main', 'program.cpp', 15 if inner else line, ''], *map(list, inner)]
    nothing = {'queue': [], 'tasks': {}, 'waits': {}, 'runs': None, 'made': {}}
    return {'kind': 'line', 'stack': stack, **nothing, **held}


def loop(line, *inner, function='run', **held):
    """A stop in the scheduler, or in what it calls."""
    return stop(15, [f'Scheduler::{function}', 'scheduler.hpp', line, 's'], *inner, **held)


def inside(line, name='Body::resume', ident='1', **held):
    """A stop in a body that the scheduler runs."""
    return loop(4, [name, 'program.cpp', line, ident], **{'runs': 1, **held})


def in_task(line, *inner, **held):
    """A stop in Task::run()."""
    return loop(4, ['Task::run', 'task.hpp', line, 't'], *inner, **{'runs': 1, **held})


END = {'kind': 'end', 'stack': []}
NEW, YIELDED = ({'tasks': {'1': [body(state)]}} for state in ('start', 'yielded'))
RECORDING = [stop(14), stop(15, queue=[1], **NEW),
             loop(3, queue=[1], **NEW), loop(4, runs=1, queue=[1], **NEW),
             inside(3, **NEW), inside(5, **NEW), inside(6, **YIELDED),
             loop(3, queue=[1], **YIELDED), loop(4, runs=1, **YIELDED), inside(3, **YIELDED),
             inside(8, **YIELDED),
             inside(10, tasks={'1': [body('yielded', i_='7')]}, out='hello\n'),
             loop(2), END]


class Scratch(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, files):
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)


class Recorded(Scratch):
    """A test with the turns of a recording."""

    def made(self, recording, program=PROGRAM, step='step03', task=''):
        self.write({f'{step}/program.cpp': program, f'{step}/scheduler.hpp': LOOP,
                    f'{step}/task.hpp': task})
        return Turns(self.root, step, 'program', '\n'.join(map(json.dumps, recording)))

    def said(self, turns, *keys):
        """What is said: all of it, or only what has these keys."""
        told = [[words for words in event['says'] if not keys or words[0] in keys]
                for event in turns.events]
        return [sentences(said) for said in told if said]
