import io
import json
import re
import shutil
import tempfile
import types
import unittest
import unittest.mock
from pathlib import Path

import book
import runs
from turns import REQUESTS, Turns, lines_of

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


class Recording(unittest.TestCase):
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

    def test_turn_0_is_what_main_does_before_the_first_turn(self):
        self.assertEqual([who for _, who in self.turns.turn_list], ['main', 'task 1', 'task 1'])
        self.assertEqual(self.turns.numbers_of_turns, [0, 1, 2])
        self.assertEqual(self.made([{**RECORDING[0], 'out': 'I begin.\n'}, *RECORDING[1:]]).numbers_of_turns, [0, 1, 2])

    def test_a_switch_is_followed_by_the_jump_to_its_case(self):
        lines = [event['stack'][-1][2] for event in self.events('task 1') if event['kind'] != 'back']
        self.assertEqual(lines, [3, 4, 5, 6, 3, 7, 8, 10])
        self.assertEqual([event['words'] for event in self.events('task 1') if event['kind'] == 'jump'],
                         ['The switch goes to case start.', 'The switch jumps to case yielded: task 1 goes on where it stopped.'])

    def test_an_event_has_only_what_it_has_changed(self):
        changed = [event['delta']['task 1'] for event in self.turns.events if 'task 1' in event['delta']]
        self.assertEqual(changed, [[['Body', 'start', {}, 1]], [['Body', 'yielded', {}, 1]], [['Body', 'yielded', {'i_': '7'}, 1]], 'has finished'])

    def test_what_is_set_belongs_to_a_frame_of_the_task(self):
        outer = {'id': '9', 'name': 'Outer', 'state': 'called', 'has': {}}
        self.turns = self.made([{**event, 'tasks': {who: [outer, *bodies] for who, bodies in event.get('tasks', {}).items()}} for event in RECORDING])
        self.assertEqual([event['words'] for event in self.turns.events if ' sets ' in event['words']][0], 'Body (task 1) sets state_ = yielded.')

    def test_a_body_that_is_resumed_in_a_task_with_others_is_named_and_begins_only_once(self):
        outer = {'id': '9', 'name': 'Outer', 'state': 'called', 'has': {}}
        stacks = [body('start')['1'], [outer, *body('start')['1']], [outer, *body('yielded')['1']]]
        words = [[event['words'] for event in self.made([*RECORDING[:3], run(4, runs=1, tasks={'1': stack}), stop(3, 'Body::resume', runs=1, tasks={'1': stack}),
                  stop(10, 'Body::resume', runs=1, tasks={'1': stack}), run(2), RECORDING[-1]]).events if event['stack'][-1][2] in (3, 4, 7) and event['who'] == 'task 1'] for stack in stacks]
        self.assertEqual(words, [['Task 1 begins, at the top of resume().', 'The switch goes to case start.'],
                                 ['Body (task 1) begins, at the top of resume().', 'The switch goes to case start.'],
                                 ['Body (task 1) is resumed, at the top of resume().', 'The switch jumps to case yielded: Body (task 1) goes on where it stopped.']])
        back = {'1': [{**outer, 'id': '1', 'name': 'Body', 'state': 'yielded'}]}
        inner = stop(8, 'Body::resume', runs=1, tasks={'1': [*back['1'], {**outer, 'id': '5', 'name': 'Inner'}]})
        inner['stack'][-1][3] = '5'
        self.turns = self.made([*RECORDING[:3], run(4, runs=1, tasks=inner['tasks']), inner, stop(3, 'Body::resume', runs=1, tasks=back), stop(10, 'Body::resume', runs=1, tasks=back), run(2), RECORDING[-1]])
        self.assertIn('Body (task 1) is resumed, at the top of resume().', [event['words'] for event in self.turns.events])

    def test_what_is_printed_belongs_to_the_line_that_prints_it(self):
        self.assertEqual([(event['stack'][-1][2], event['out']) for event in self.turns.events if event['out']], [(8, 'hello\n')])
        self.assertEqual(self.turns.printed, 'hello\n')

    def test_a_task_that_yields_and_is_resumed_in_the_same_turn_asks_for_nothing(self):
        self.turns = self.made(RECORDING[:7] + RECORDING[9:])
        self.assertEqual([event['words'] for event in self.turns.events if event['stack'][-1][2] == 6], ['Task 1 yields, in line 6.'])

    def test_what_a_function_of_main_prints_after_a_resume_belongs_to_its_line(self):
        call = [stop(13)['stack'][0], ['sends', 'program.cpp', 14, '']]
        inside = {**stop(13), 'stack': [*call, ['Body::resume', 'program.cpp', 6, '1']], 'made': {'gen': body('yielded')['1'][0]}}
        self.turns = self.made([{**stop(13), 'stack': call}, inside, stop(15, out='hello\n'), RECORDING[-1]])
        self.assertEqual([(event['stack'][-1][2], event['out']) for event in self.turns.events], [(14, ''), (6, ''), (14, 'hello\n'), (13, ''), (15, '')])
        self.assertIn('sends() prints “hello”.', [event['words'] for event in self.turns.events])

    def test_a_coroutine_goes_on_in_the_line_where_it_has_stopped(self):
        def at(line, index, **members):
            return {**stop(14), 'stack': [stop(14)['stack'][0], ['Body', 'program.cpp', line, '1']], 'made': {'b': {'id': '1', 'name': 'Body', 'state': index, 'has': members}}}
        program = PROGRAM.replace('return Nothing{};  // yield', 'std::string got = co_yield 1;')
        resumed = {**at(11, '4'), 'resumed': True}  # the compiler's code for it stands at the end of the body
        turns = self.made([stop(14), at(6, '2'), {**stop(15), 'made': at(6, '4')['made']}, resumed, at(8, '4', got='"x"'), RECORDING[-1]], program=program, step='step08')
        self.assertEqual([(event['stack'][-1][2], event['now']['Body'][0][2], event['words']) for event in turns.events[3:5]],
                         [(15, {}, 'main starts the loop of the scheduler.'),
                          (6, {'got': '"x"'}, 'Resumed at index 4. Body goes on in line 6: await_resume() returns "x".')])
        twice = self.made([stop(14), at(6, '2'), at(6, '4', current='1'), {**resumed, 'made': at(6, '4', sent='2')['made']}, at(8, '4'), RECORDING[-1]],
                          program=program.replace('scheduler.new_task(Body())', 'body.send(2)'), step='step08')
        self.assertEqual([(event['stack'][-1][2], event['now']['Body'][0][2], event['words']) for event in twice.events[1:3]],
                         [(6, {'current': '1'}, 'The body begins. Body yields 1, in line 6: yield_value() stores it in the promise.'),
                          (6, {}, 'send() drops this value, and resumes again. Body goes on in line 6.')])
        begun = self.made([stop(14), {**resumed, 'made': {}}, at(6, '2'), stop(15), RECORDING[-1]], program=program, step='step08')
        self.assertEqual([event['stack'][-1][2] for event in begun.events], [14, 6, 14, 15])

    def test_a_constructor_that_leads_into_its_body_calls_it(self):
        def at(function, line, *stack):
            event = stop(line, 'Body::resume', runs=1, tasks={'1': [*body('yielded')['1'], *stack]})
            event['stack'][-1][0] = function
            return event
        inner = {'id': '2', 'name': 'Inner', 'state': 'start', 'has': {}}
        turns = self.made([stop(14), at('Inner::Inner', 1), at('Inner::Inner', 2), at('Inner::resume', 3, inner), RECORDING[-1]])
        self.assertEqual([event['words'] for event in turns.events[1:3]], ['The constructor of Inner runs.', 'Task 1 calls Inner: Body waits until it returns.'])

    def test_a_task_is_new_behind_the_constructor_of_its_body(self):
        inside = {**stop(14), 'stack': [stop(14)['stack'][0], ['Body::Body', 'program.cpp', 2, '1']]}
        turns = self.made([inside, stop(15, queue=[1], tasks=body('start')), RECORDING[-1]], program=PROGRAM.replace('  resume() {', '      : n_(1) {}', 1))
        self.assertEqual([(event['stack'][-1][2], event['words']) for event in turns.events[:2]],
                         [(2, 'The constructor of Body runs.'), (14, 'main creates task 1. No line of its body has run yet.')])
        turns = self.made([stop(14), inside, stop(15, queue=[1, 1], tasks=body('start')), RECORDING[-1]], program=PROGRAM.replace('  resume() {', '  explicit Body() {}', 1))
        self.assertEqual([event['words'] for event in turns.events[:2]], ['main makes a coroutine of the class Body.', 'The constructor of Body runs. Then main creates task 1.'])
        turns = self.made([stop(14), stop(15, queue=[1, 1], tasks=body('start')), RECORDING[-1]])
        self.assertEqual(turns.events[0]['words'], 'main creates task 1. No line of its body has run yet. Task 1 is in the queue 2 times.')

    def test_a_helper_says_what_it_does_and_a_statement_of_it_only_once(self):
        def at(line):
            event = stop(8, 'Body::resume', runs=1, tasks=body('yielded'))
            event['stack'].append(['say', 'program.cpp', line, ''])
            return event
        program = PROGRAM + 'int say() {\n  ::call(\n      1);\n  return 2 +  // two\n         3;\n}\n'
        turns = self.made([stop(14), *map(at, (18, 19, 18, 21, 20, 21)), stop(10, 'Body::resume', runs=1, tasks=body('yielded')), RECORDING[-1]], program=program)
        self.assertEqual([event['words'] for event in turns.events if event['stack'][-1][0] == 'say'], ['say() calls call().', 'say() returns to task 1.'])

    def test_a_line_of_a_helper_is_not_where_its_body_stands(self):
        helper = stop(8, 'Body::resume', runs=1, tasks=body('yielded'))
        helper['stack'].append(['say', 'program.cpp', 1, ''])
        self.turns = self.made(RECORDING[:7] + [helper] + RECORDING[7:])
        self.assertEqual([event['object'] for event in self.events('task 1') if event['stack'][-1][0] == 'say'], [0])

    def test_a_body_without_a_scheduler_has_finished(self):
        def at(line, state, *inner, **held):
            return {**stop(line), 'stack': [['main', 'program.cpp', 14, ''], *inner], 'made': {'b': body(state)['1'][0]}, **held}
        def inside(line, state):
            return at(14, state, ['Body::resume', 'program.cpp', line, '1'])
        after = [at(15, 'yielded'), {'kind': 'end', 'stack': [], 'out': 'end\n'}]
        self.turns = self.made([at(14, 'start'), inside(5, 'start'), inside(6, 'yielded'), *after[:1], inside(8, 'yielded'), inside(10, 'yielded'), *after])
        self.assertEqual(self.turns.events[-1]['now']['Body'], 'has finished')
        compiled = PROGRAM.replace('return Nothing{};', 'co_yield 1;').replace('return std::nullopt;', 'say();')
        self.turns = self.made([at(14, '2'), inside(5, '2'), inside(6, '2'), at(15, '4'), inside(6, '4'), inside(10, '4'), at(15, '4'), after[1]], program=compiled)
        self.assertEqual([isinstance(event['now']['Body'], str) for event in self.turns.events if event['who'] == 'main'], [False, False, True])

    def test_a_task_that_ends_is_named_and_one_that_was_killed_does_not_end_again(self):
        loop = LOOP.replace('if (task.run()) ready_.push_back(task);', 'kill_task(id);')
        killed = [run(3, queue=[1]), run(4, runs=1), run(2), RECORDING[-1]]
        words = [[event['words'] for event in self.made(recording, loop).events if event['stack'][-1][2] == 4][-1] for recording in
                 ([*RECORDING[:3], run(4, runs=1, tasks=body('start')), run(2), RECORDING[-1]], RECORDING[:7] + killed)]
        self.assertEqual(words, ['Task 1 has ended, and is removed.', 'Task 1 was removed when it was killed.'])
        waiter = {'2': [{**body('start')['1'][0], 'id': '2'}]}
        ends = [*RECORDING[:3], run(4, runs=1, tasks={**body('start'), **waiter}, waits={'2': 'the end of task 1'}), run(2, queue=[2], tasks=waiter), RECORDING[-1]]
        self.assertIn('Task 1 has ended, and is removed. So task 2, which waited for its end, goes to the end of the queue. Queue: 2.', [event['words'] for event in self.made(ends, loop).events])

    def killing(self, *inside, after, step='step04', loop=KILLS, victim='1', has=(), asks='scheduler.schedule(asker, scheduler.kill_task(1));\n    }'):
        """The sentences of a run whose second task asks for the end of the first one, or for its own: each of `inside` is a line of kill_task(), and what there is then."""
        program = PROGRAM.replace('say();\n    }', asks).replace('return Nothing{};  // yield', 'return kill_task(1);  // yield kill_task(1)')
        tasks = {**body('yielded', **dict(has)), '2': [{**body('yielded')['1'][0], 'id': '2'}]}
        left = {number: bodies for number, bodies in tasks.items() if number != victim}
        calls = run(4, runs=2, tasks=tasks, queue=[1])
        calls['stack'].append(['Scheduler::run_next', *calls['stack'][1][1:]])
        asked = {**calls, 'stack': [*calls['stack'], ['lambda', 'program.cpp', 8, '']]}
        lines = [{**asked, **({'tasks': left} if gone else {}), **held, 'stack': [*asked['stack'], ['Scheduler::kill_task', 'scheduler.hpp', line, 's']]} for line, gone, held in inside]
        more = [{**asked, 'tasks': lines[-1]['tasks'], 'stack': [*calls['stack'], ['lambda', 'program.cpp', 9, '']]}] * ('killed' in asks)
        self.turns = self.made([*RECORDING[:3], calls, asked, *lines, *more, run(2, tasks=lines[-1]['tasks'], **after), RECORDING[-1]], loop, program, step)
        return [(event['stack'][-1][0].split(':')[-1], event['words']) for event in self.turns.events if event['stack'][-1][0] in ('lambda', 'Scheduler::kill_task')]

    def test_kill_task_says_whom_it_takes_out_of_the_table_and_who_is_woken(self):
        woken = {'queue': [1, 3], 'waits': {}}
        self.assertEqual(self.killing((7, False, {'waits': {'3': 'the end of task 1'}}), (8, True, {'waits': {'3': 'the end of task 1'}}), (9, True, {'waits': {'3': 'the end of task 1'}}), (10, True, {'waits': {'3': 'the end of task 1'}}), (11, True, woken),
                                      after={'queue': [1, 3, 2], 'answers': {'2': 'true'}}), [
            ('lambda', 'Now kill_task() runs.'), ('kill_task', 'Task 1 is taken out of the table of tasks: it no longer exists.'), ('kill_task', 'Was there such a task? Yes.'),
            ('kill_task', 'If it waited for a socket, this wait is over.'), ('kill_task', 'Task 3, which waited for its end, goes to the end of the queue. Queue: 1 (killed), 3.'),
            ('kill_task', 'kill_task() returns, and task 1 is destroyed with its body.'), ('lambda', 'Task 2 goes to the end of the queue with the answer true. Queue: 1 (killed), 3, 2.')])
        self.assertEqual(self.turns.events[-2]['now']['task 1'], 'was killed')

    def test_a_system_call_in_more_lines_does_the_same(self):
        turns = []
        for asks in ('scheduler.schedule(asker, scheduler.kill_task(1));\n    }', 'const bool killed = scheduler.kill_task(1);\n      scheduler.schedule(asker, killed); }'):
            self.killing((7, False, {}), (8, True, {}), (11, True, {}), after={'queue': [1, 2], 'answers': {'2': 'true'}}, asks=asks)
            turns.append(self.turns)
        self.assertEqual([len(each.events) for each in turns], [11, 12])
        self.assertIsNone(runs.leaves(turns[1], turns[0]))

    def test_a_task_can_ask_for_its_own_end(self):
        spoken = self.killing((7, False, {}), (8, True, {}), (11, True, {}), after={'queue': [1]}, victim='2')
        self.assertEqual([words for _, words in spoken[-2:]], ['kill_task() returns, and task 2 is destroyed with its body.', 'kill_task() has returned.'])
        self.assertEqual(self.turns.events[-2]['now']['task 2'], 'was killed')

    def test_kill_task_finds_no_task_or_has_been_changed(self):
        nothing = self.killing((7, False, {}), (8, False, {}), after={'queue': [2], 'answers': {'2': 'false'}})
        self.assertEqual([words for _, words in nothing[1:]], [
            'In the table of tasks, there is no such task.', 'Was there such a task? No: kill_task() returns false.', 'Task 2 goes to the end of the queue with the answer false. Queue: 2.'])
        compiled = self.killing((7, False, {}), (8, True, {}), (10, True, {}), (12, True, {}), (11, True, {}), after={'queue': [1, 2]}, step='step08', loop=KILLS.replace('return true;\n', 'return true;\n    killed->unwind();\n'))
        self.assertEqual([words for _, words in compiled[3:-1]], ['No task waits for its end.', 'unwind() destroys the coroutines of task 1, the innermost first.', 'kill_task() returns.'])
        late = self.killing((7, False, {}), (8, True, {}), (10, True, {}), (11, True, {}), after={'queue': [1, 2]}, has={'awaited by': 'task 3'})
        self.assertEqual(late[3][1], 'Task 3 waited for its end, but nobody goes into the queue.')
        silent = self.killing((7, False, {'waits': {'3': 'the end of task 1'}}), (11, True, {'waits': {'3': 'the end of task 1'}}), after={'queue': [1, 2], 'waits': {'3': 'the end of task 1'}})
        self.assertEqual(silent[2][1], 'kill_task() returns, and task 1 is destroyed with its body. Nobody tells task 3, which waits for that.')
        other = self.killing((7, False, {}), (8, True, {}), after={'queue': [1, 2]}, loop=KILLS.replace('tasks_.extract(id)', 'tasks_.erase(id)').replace('killed.empty()', 'killed == 0'))
        self.assertEqual([words for _, words in other[1:3]], ['Task 1 was killed.', 'kill_task() runs line 8 of the scheduler.'])

    def test_a_task_that_nobody_puts_back_has_no_more_turns(self):
        two = {**body('yielded'), '2': [{**body('yielded')['1'][0], 'id': '2'}]}
        begun = [{**event, 'tasks': two, 'queue': [*event['queue'], 2]} for event in RECORDING[:7]]
        skips = run(5, runs=1, queue=[2], tasks=two)
        skips['stack'][1][0] = 'Scheduler::run_next'
        made = self.made([*begun, skips, run(3, queue=[2], tasks=two), run(4, runs=2, tasks=two), stop(8, 'Body::resume', runs=2, tasks=two), run(2, tasks=body('yielded')), RECORDING[-1]])
        lost = [event[-1] for event in made.data()['ev'] if 'no more turns' in event[-1]]
        self.assertEqual(lost, ['The scheduler runs line 5. Task 1 is in no queue, and waits for nothing: it has no more turns. Queue: 2.'])
        self.assertNotIn('is in no queue', str(self.turns.data()['ev']))
        later = self.made([*begun, skips, run(3, queue=[2], tasks=two), run(4, runs=2, tasks=two), stop(8, 'Body::resume', runs=2, tasks=two), run(3, queue=[1], tasks=body('yielded')), *RECORDING[8:]])
        self.assertEqual([event[-1] for event in later.data()['ev'] if 'in no queue' in event[-1]], ['The scheduler runs line 5. Task 1 is in no queue, and waits for nothing. Queue: 2.'])

    def test_a_copy_is_told_of_and_stands_where_the_original_stands(self):
        loop = LOOP.replace('if (task.run()) ready_.push_back(task);', '(*call)(id);')
        call, clone = run(4, runs=1, tasks=body('yielded')), run(4, runs=1, tasks=body('yielded'))
        clone['stack'].append(['Body::clone', 'program.cpp', 6, '1'])
        after = run(2, queue=[2, 1], tasks={**body('yielded'), '2': [{'id': '2', 'name': 'Body', 'state': 'yielded', 'has': {}}]})
        for event in call, clone, after:
            event['stack'][1][0] = 'Scheduler::run_next'
        self.turns = self.made(RECORDING[:7] + [call, clone, after, RECORDING[-1]], loop, PROGRAM.replace('// yield', '// yield fork()'))
        self.assertEqual([(event['words'], event['delta']['d']) for event in self.turns.events if 'd' in event['delta']], [
            ('Back in line 4 of the scheduler. Task 2 is a copy, which goes on at case yielded. Queue: 2, 1.', {2: [0, 6]})])
        two = {'tasks': {'2': after['tasks']['2']}, 'runs': 2}
        again = [{**event, **two, 'stack': [*event['stack'][:-1], [*event['stack'][-1][:3], '2']]} for event in RECORDING[9:11]]
        self.turns = self.made(RECORDING[:7] + [call, clone, after, *again, RECORDING[-1]], loop, PROGRAM.replace('// yield', '// yield fork()'))
        self.assertIn('The switch jumps to case yielded: task 2 goes on where its original stopped.', [event['words'] for event in self.turns.events])

    def test_a_request_tells_whom_it_accepts(self):
        def inside(line, net, **held):
            event = {**run(4, runs=1, tasks=body('yielded'), net=f'0.40\nben|{net}|0|0\n'), **held}
            return {**event, 'stack': [*event['stack'], ['lambda', 'program.cpp', line, '']]}
        program = PROGRAM.replace('case State::yielded:', 'while (client = accept())').replace('say();', 'new_task(client);')
        both = {**body('yielded'), '2': [{'id': '2', 'name': 'Body', 'state': 'start', 'has': {}}]}
        self.turns = self.made([*RECORDING[:7], inside(1, '-1|reset'), inside(7, '-1|reset'), inside(8, '7|reset'), RECORDING[-1]], LOOP, program)  # before it was accepted
        self.assertIn('accept() returns the connection of ben.', [event['words'] for event in self.turns.events])
        self.turns = self.made([*RECORDING[:7], inside(1, '-1|waits'), inside(7, '-1|waits'), inside(8, '7|open'), inside(7, '7|open', queue=[2], tasks=both),
                                inside(9, '7|open', queue=[2], tasks=both), run(2, queue=[2, 1], tasks=both), RECORDING[-1]], LOOP, program)
        self.assertEqual([event['words'] for event in self.turns.events if event['stack'][-1][0] == 'lambda'], [
            'The request of task 1 goes on in line 1.', 'accept() returns the connection of ben.', 'Task 2 is new. Queue: 2.', 'accept() returns nothing: no client waits to be accepted.',
            'Task 1 goes to the end of the queue. Queue: 2, 1.'])

    def test_a_system_call_says_what_each_of_its_lines_does(self):
        loop = LOOP.replace('if (task.run()) ready_.push_back(task);', '(*call)(id);')
        program = PROGRAM.replace('say();', 'find(id);').replace('return std::nullopt;', 'scheduler.schedule(asker, kill_task(2));')
        two, answer = {**body('yielded'), '2': [{'id': '2', 'name': 'Body', 'state': 'start', 'has': {}}]}, {'answers': {'1': 'true'}}

        def inside(line, function, **held):
            event = run(4, runs=1, **held)
            event['stack'][1][0] = 'Scheduler::run_next'
            return {**event, 'stack': [*event['stack'], [function, 'program.cpp', line, '']]}
        self.turns = self.made([*RECORDING[:7], inside(8, 'Mailbox::deliver', tasks=two), inside(10, 'lambda', tasks=two), inside(11, 'lambda', queue=[1], tasks=body('yielded'), **answer),
                                run(2, queue=[1], tasks=body('yielded'), **answer), RECORDING[-1]], loop, program.replace('}\n};', 'return id;\n};'))
        self.assertEqual([(event['who'], event['words']) for event in self.turns.events if event['stack'][-1][0] in REQUESTS], [
            ('sched', 'Is there such a task?'), ('sched', 'Task 2 was killed. Task 1 goes to the end of the queue with the answer true. Queue: 1.'),
            ('sched', 'This is the answer for task 1: true.')])
        limits = program.replace('find(id);', 'scheduler.limit_deadlines(time);')
        spoken = [event['words'] for event in self.made([*RECORDING[:7], inside(8, 'lambda', tasks=two), inside(10, 'lambda', tasks=two, limit='3.2 s'), run(2, queue=[1], tasks=two), RECORDING[-1]], loop, limits).events]
        self.assertIn('From now on, no wait lasts longer than until 3.2 s.', spoken)
        delivers = program.replace('find(id);', 'if (messages.empty() || !scheduler.find(receiver)) return;').replace('scheduler.schedule(asker, kill_task(2));', 'messages.front();')
        for then, answer in ((inside(10, 'Mailbox::deliver', tasks=two), 'Yes'), (inside(1, 'lambda', tasks=two), 'No: deliver() returns')):
            made = self.made([*RECORDING[:7], inside(8, 'Mailbox::deliver', tasks=two), then, run(2, queue=[1], tasks=two), RECORDING[-1]], loop, delivers)
            self.assertIn(f'Is there a message, and a task that waits for one? {answer}.', [event['words'] for event in made.events])
        self.assertEqual([event['now']['r'] for event in self.turns.events if event['stack'][-1][0] in REQUESTS], [1, 0, 0])

    def test_the_head_of_a_loop_says_whether_it_goes_on(self):
        for following, answer in ((8, 'Yes'), (10, 'No')):
            inside = [{**stop(15), 'stack': [stop(15)['stack'][0], ['Body::resume', 'program.cpp', line, '1']], 'made': {'b': body('yielded', n=n)['1'][0]}} for line, n in ((7, '1'), (following, '2'))]
            turns = self.made([stop(15), *inside, stop(15), RECORDING[-1]], program=PROGRAM.replace('case State::yielded:', 'for (n = 1; n <= 2; ++n) {').replace('say();\n', 'say();\n    }'))
            self.assertIn(f'Body sets n = 2, and asks: n <= 2? {answer}.', [event['words'] for event in turns.events])

    def test_a_body_that_throws_what_it_was_sent_goes_on_in_resume(self):
        held = {'made': {'b': body('yielded')['1'][0]}}
        inner = {**stop(15), 'stack': [stop(15)['stack'][0], ['Body::resume_with_exception', 'program.cpp', 9, '1'], ['Body::resume', 'program.cpp', 3, '1']], **held}
        for event, words in ((inner, 'goes on'), ({**inner, 'stack': [inner['stack'][0], inner['stack'][2]]}, 'is resumed')):
            self.assertEqual(self.made([{**stop(15), **held}, event, {**stop(15), **held}, RECORDING[-1]]).events[1]['words'], f'Body {words}, at the top of resume().')

    def test_a_line_says_what_it_does_even_if_it_changes_nothing(self):
        lines = ['gen.rewind();', 'gen.send("x");', 'serve<Body>(argc, 8000);', 'int x = 0;', 'n = std::any_cast<int>(sent);', 'n = sent.has_value() ? std::any_cast<int>(sent) : 3;', 'socket_.set_deadline(Clock::now());']
        held = {'made': {'b': body('yielded', n='3')['1'][0]}}
        words = [self.made([{**RECORDING[1], **held}, {**stop(4), 'stack': [['main', 'program.cpp', 14, ''], [function, 'program.cpp', 8, '1']], **held}, {**stop(15), **held}, RECORDING[-1]],
                           program=PROGRAM.replace('say();', line)).events[1]['words'] for line in lines for function in ['Body::resume']]
        self.assertEqual(words, ['Body asks for the first yield.', 'Body sends “x” to the body.', 'Body calls serve(argc, 8000).', 'Body sets x.', 'Body sets n, which stays 3.', 'Body sets n, which stays 3, because nothing was sent.',
                                 'Body gives its socket a deadline.'])

    def test_a_mailbox_is_on_stage_with_its_messages_and_the_task_that_waits_for_one(self):
        waits = run(2, tasks=body('yielded'), mail={'printer': [['"a"', None], 1], 'counter': [[], 0]})
        event = self.made([*RECORDING[:7], waits, RECORDING[-1]]).events[-1]
        self.assertEqual((event['now']['w'], event['now']['k']), ({'1': 'a message for printer'}, 'waits for · mailboxes: printer "a" and (moved away), counter is empty'))

    def test_a_coroutine_that_ends_prints_only_its_own_lines(self):
        def at(line, state, *inner, **held):
            return {**stop(line), 'stack': [['main', 'program.cpp', 14, ''], *inner], 'made': {'b': body(state)['1'][0]}, **held}
        self.turns = self.made([at(14, '4', ['Body::resume', 'program.cpp', 8, '1']), at(14, '4', ['Body::resume', 'program.cpp', 12, '1'], out='mine\n'), at(15, '4', out='main\n'), RECORDING[-1]],
                               program=PROGRAM.replace('return std::nullopt;', 'co_yield 1;').replace('};', '}'))
        self.assertEqual([(event['who'], event['out']) for event in self.turns.events if event['out']], [('Body', 'mine\n'), ('main', 'main\n')])
        self.assertEqual([event['words'] for event in self.turns.events if event['stack'][-1][2] == 12], ['Body ends: it has reached the end of its body.'])

    def test_a_coroutine_that_yields_twice_without_main_in_between_has_two_turns(self):
        at = [{**stop(14), 'stack': [['main', 'program.cpp', 14, ''], *inner], 'made': {'b': body('4')['1'][0]}} for inner in ([], [['Body', 'program.cpp', 6, '1']], [['Body', 'program.cpp', 8, '1']])]
        self.turns = self.made([*at, RECORDING[-1]], program=PROGRAM.replace('return Nothing{};  // yield', 'co_yield 1;').replace('say();', 'co_yield 2;'))
        self.assertEqual([who for _, who in self.turns.turn_list], ['main', 'Body', 'Body'])

    def test_a_run_with_another_line_tells_where_it_leaves_the_original(self):
        other = self.made([*RECORDING[:10], stop(10, 'Body::resume', runs=1, tasks=body('yielded')), *RECORDING[-2:]])
        left = runs.leaves(other, self.turns)
        self.assertEqual(left, next(i for i, event in enumerate(other.events) if event['words'] == 'Task 1 ends: its body returns nullopt.'))
        self.assertIsNone(runs.leaves(self.turns, self.turns))
        ends = self.made(RECORDING)
        del ends.events[9:]  # it crashes there
        self.assertEqual(runs.leaves(ends, self.turns), 8)
        said = self.made(RECORDING)
        said.events[5]['words'] = 'Only the code is written in another way.'
        self.assertIsNone(runs.leaves(said, self.turns))
        said.events[5]['words'], self.turns.events[5]['words'] = 'i < 3? No.', 'i < 5? Yes.'
        self.assertEqual(runs.leaves(said, self.turns), 5)
        self.turns = self.made(RECORDING)
        for words in 'Task 1 yields fork_task(): it', 'Task 1 stops: it asks for fork_task(), in', "The compiler's code awaits what it returns, a std::suspend_never.":
            said.events[5]['words'], said.events[7]['words'] = self.turns.events[5]['words'], words
            self.turns.events[7]['words'] = words.replace('fork', 'new').replace('never', 'always')
            self.assertEqual(runs.leaves(said, self.turns), 7)
        data = other.data()
        runs.mark_where_it_leaves(data, left)
        self.assertEqual([turn[0] for turn in data['turns'] if runs.LEAVES in turn], [other.turn_list[2][0]])
        self.assertEqual([i for i, event in enumerate(data['ev']) if event[-1].endswith(f'. {runs.LEAVES}')], [left])
        for words in 'The body begins. Task 1 ends.', 'Resumed at index 4. Task 1 ends.', 'Task 1 ends until it returns.':
            data = {'ev': [[words]], 'turns': [[0, 'task 1', 0]]}
            runs.mark_where_it_leaves(data, 0)
            self.assertEqual(data['ev'], [[f'Task 1 ends. {runs.LEAVES}']])

    def test_main_has_the_first_row_of_turns(self):
        self.turns.turn_list = [(0, 'task 1'), (1, 'Body'), (2, 'main')]
        self.assertEqual(self.turns.data()['lanes'], ['main', 'Body', 'task 1'])

    def test_a_twin_has_the_same_turns_as_far_as_both_are_recorded(self):
        def made(step, more, *turns):
            return types.SimpleNamespace(program='a', step=step, more=more, turn_list=list(enumerate(turns)))
        for mine, its, same in (((0, 'main', 'A'), (0, 'main', 'a'), True), ((1, 'main', 'A', 'main'), (1, 'main', 'a'), True),
                                ((0, 'main', 'A', 'main'), (1, 'main', 'a'), False), ((1, 'main', 'task 1', 'main'), (1, 'main', 'task 2'), False)):
            turns, other = made('step01', *mine), made(runs.STEP8, *its)
            self.assertEqual(runs.twin([turns, other], turns), other if same else None)
        self.assertIsNone(runs.twin([turns], turns))

    def test_each_moment_of_a_run_has_one_of_its_twin(self):
        other = self.made([event for i, event in enumerate(RECORDING) if i not in (4, 5, 10)], program=COMPILED)
        moments = runs.beside(self.turns, other)
        places = [(event['stack'][-1][2], *moment[1:4]) for event, moment in zip(self.turns.events, moments)]
        self.assertEqual(places[:2], [(14, 14, 1, 'turn-0.1'), (15, 15, 1, 'turn-0.2')])
        self.assertEqual([place for place in places if place[3] == 'turn-1.3'], [(6, 6, 1, 'turn-1.3')])  # both suspend
        self.assertEqual(places[9:], [(3, 6, 0, 'turn-2.1'), *[(n, 6, 0, 'turn-2.2') for n in (4, 3, 7)], (8, 3, 1, 'turn-2.3'),  # in the scheduler, the body waits
                                      (10, 10, 1, 'turn-2.4'), (4, 10, 0, 'turn-2.5'), (2, 10, 0, 'turn-2.6'), (15, 15, 1, 'turn-2.7')])  # both print in line 10
        self.assertEqual(len(places), len(self.turns.events))
        self.assertEqual([moment[4] for moment in moments][2:10:5], ['state_ = start', 'state_ = yielded'])
        self.assertEqual([moment[3] for moment in runs.beside(other, other)], [f'turn-{t}.{n + 1}' for t in range(3) for n in range(len(other.part(other.turn_list, t)))])

    def test_each_moment_of_a_run_with_another_line_says_who_had_the_turn_as_it_was_and_the_queue(self):
        other = self.made([*RECORDING[:10], stop(10, 'Body::resume', runs=1, tasks=body('yielded')), *RECORDING[-2:]])
        moments = runs.beside(other, self.turns, True)
        self.assertEqual(len(moments), len(other.events))
        self.assertEqual([moments[n][3:] for n in (1, 7, 8, 13, -1)], [['turn-0.2', 'as it was: main, queue: 1'], ['turn-1.6', 'as it was: task 1, queue: empty'], ['turn-1.7', 'as it was: task 1, queue: 1'],
                                                                       ['turn-2.6', 'as it was: task 1, queue: empty'], ['turn-2.9', 'as it was: it has ended']])
        short = self.made(RECORDING)
        short.cut(2)  # it has no turn 2
        self.assertEqual({tuple(moment[3:]) for moment in runs.beside(self.turns, short, True)[9:]}, {('turn-1.7', 'as it was: it has ended')})
        short.more = True
        self.assertEqual(runs.beside(self.turns, short, True)[-1][4], 'as it was: not recorded so far')
        short.scheduled = False
        self.assertEqual(runs.beside(self.turns, short, True)[2][4], 'state_ = start')

    def test_a_poll_is_beside_the_poll_after_the_same_turn(self):
        few, many = (types.SimpleNamespace(numbers_of_turns=numbers) for numbers in ([0, 1, '', 2], [0, 1, 2, '', '', 3]))
        self.assertEqual([runs.same_turn(few, many, t) for t in range(4)], [0, 1, 1, 2])
        self.assertEqual([runs.same_turn(many, few, t) for t in range(6)], [0, 1, 3, 3, 3, None])
        self.assertEqual([runs.same_turn(many, many, t) for t in range(6)], [*range(6)])

    def test_what_a_body_does_is_the_same_by_hand_and_by_the_compiler(self):
        def does(line, words='', kind='line'):
            with unittest.mock.patch.object(self.turns, 'line_of', return_value=line):
                return runs.does(self.turns, {'stack': [0], 'kind': kind, 'state': {}, 'object': 1, 'words': words})
        pairs = (('case State::yielded:', '', 'jump'), ('id = co_await get_task_id();', 'Resumed at index 4. Task 1 goes on in line 7.')), (('return Nothing{};  // yield',), ('co_yield nothing;',)), (
            ('return ReturnValue{a_ + b_};  // yield retval(a + b)',), ('co_return a + b;',)), (('return std::nullopt;',), ('}',)), (('say(a_);  // loud',), ('say(a);',))
        self.assertEqual([does(*by_hand) for by_hand, _ in pairs], ['is resumed', 'suspends', 'returns', 'returns', 'say(a);'])
        self.assertEqual([does(*by_hand) for by_hand, _ in pairs], [does(*compiled) for _, compiled in pairs])

    def test_of_a_run_that_goes_on_only_whole_turns_are_shown(self):
        turns = self.made([*RECORDING[:7], *RECORDING[7:11], {'kind': 'goes on', 'stack': [], 'out': 'hello\n'}])
        self.assertEqual([who for _, who in turns.turn_list], ['main', 'task 1'])
        self.assertEqual((turns.events[-1]['stack'][-1][2], turns.printed), (4, ''))
        self.assertNotIn('has ended', ' '.join(event['words'] for event in turns.events))

    def test_what_is_printed_piece_by_piece_belongs_to_the_end_of_the_line(self):
        recording = [{**event, 'out': {6: 'a', 7: 'b\n', 9: 'c'}.get(n, '')} for n, event in enumerate(RECORDING)]
        turns = self.made(recording)
        self.assertEqual([event['out'] for event in turns.events if event['out']], ['ab\n', 'c'])
        self.assertNotEqual(turns.events[-1]['out'], 'c')  # it stays where it was printed
        self.assertEqual([event['words'] for event in turns.events if 'begins to' in event['words']], ['Task 1 begins to print “a”.'])

    def test_the_body_of_a_loop_is_not_the_case_before_it(self):
        program = PROGRAM.replace('      say();', '      do {')
        turns = self.made([*RECORDING[:10], stop(8, 'Body::resume', runs=1, tasks=body('yielded')), stop(7, 'Body::resume', runs=1, tasks=body('yielded')), *RECORDING[11:]], program=program)
        self.assertEqual([event['stack'][-1][2] for event in turns.events if event['stack'][-1][0] == 'Body::resume'][-4:], [3, 7, 8, 10])

    def test_a_line_that_calls_a_helper_sets_nothing_yet(self):
        helper = stop(8, 'Body::resume', runs=1, tasks=body('yielded'))
        helper['stack'].append(['say', 'program.cpp', 1, ''])
        turns = self.made([*RECORDING[:10], stop(8, 'Body::resume', runs=1, tasks=body('yielded')), helper, *RECORDING[11:]], program=PROGRAM.replace('say();', 'said_ = 1 + say();'))
        self.assertIn('Task 1 calls say().', [event['words'] for event in turns.events])

    def test_a_request_that_calls_a_body_ends_in_its_own_line(self):
        request = stop(4, 'Body::resume', file='scheduler.hpp', runs=1, tasks=body('yielded'))
        request['stack'][2:] = [['Scheduler::run_next', 'scheduler.hpp', 4, 's'], ['lambda', 'program.cpp', 1, '']]
        enters = {**request, 'stack': [*request['stack'], ['Body::clone', 'program.cpp', 2, '77']]}  # before it has its `this`
        clone = {**request, 'stack': [*request['stack'], ['Body::clone', 'program.cpp', 2, '1']]}
        two = {**body('yielded'), '2': body('yielded')['1']}
        turns = self.made([*RECORDING[:3], request, enters, clone, run(2, queue=[2, 1], tasks=two), RECORDING[-1]], program=PROGRAM.replace('  resume() {', '  clone() { return copy(); }', 1))
        self.assertEqual([(event['stack'][-1][0], event['now']['q']) for event in turns.events[4:6]], [('Body::clone', []), ('lambda', [2, 1])])

    def test_variables_of_main_end_behind_their_line_or_their_function(self):
        serve = {**stop(15, main={'n': '1'}), 'stack': [stop(13)['stack'][0], ['serve', 'program.cpp', 14, '']]}
        turns = self.made([stop(14, main={'number': '1'}), stop(15), serve, RECORDING[-1]])
        self.assertEqual([event['now']['main'][0][2] for event in turns.events], [{'number': '1'}, {'n': '1'}, {'n': '1'}, {}])
        later = {**serve, 'stack': [serve['stack'][0], ['serve', 'program.cpp', 15, '']]}
        made = self.made([serve, later, {**serve, 'main': {'n': '2'}}, RECORDING[-1]])
        self.assertEqual(made.events[1]['words'], 'serve() sets n = 2.')

    def test_a_rewind_of_a_generator_that_has_begun_says_that_nothing_runs(self):
        turns = self.made([stop(14), stop(15), RECORDING[-1]], program=PROGRAM.replace('scheduler.new_task(Body())', 'gen.rewind()'))
        self.assertEqual(turns.events[0]['words'], 'main asks for the first yield, which is there already: nothing runs.')

    def test_a_function_of_main_that_returns_still_has_its_body(self):
        call = [stop(13)['stack'][0], ['sends', 'program.cpp', 14, '']]
        inside = {**stop(13), 'stack': [*call, ['Body::resume', 'program.cpp', 6, '1']], 'made': {'gen': body('yielded')['1'][0]}}
        turns = self.made([{**stop(13), 'stack': call}, inside, stop(15), RECORDING[-1]])
        self.assertEqual([isinstance(event['now'].get('Body'), list) for event in turns.events[1:4]], [True, True, False])

    def test_a_loop_that_ends_leaves_who_waits_for_a_message_waiting_for_ever(self):
        loop = ['', '  void run() {', '    while (!ready_.empty() || !waits_.empty()) {', '    }', '  }', '  void poll_sockets() {', '    if (waits_.empty()) return;']
        waits = {'tasks': body('yielded'), 'waits': {'1': 'the end of task 2'}}
        poll = {**run(7, **waits), 'stack': [['main', 'program.cpp', 15, ''], ['Scheduler::poll_sockets', 'scheduler.hpp', 7, 's']]}
        turns = self.made([stop(14), run(3, **waits), poll, run(3, **waits), stop(16, **waits), RECORDING[-1]], '\n'.join(loop))
        self.assertEqual(turns.events[3]['words'], 'The queue is empty: the loop ends, and task 1 will wait for ever.')
        self.assertEqual(turns.events[2]['words'], 'Does a task wait for a socket? No.')
        self.assertNotIn('poll', [who for _, who in turns.turn_list])

    def test_the_loop_counts_the_turns_of_a_round(self):
        loop = LOOP.replace('take();', 'for (std::size_t turns = ready_.size(); turns > 0; --turns) run_next();')

        def round_of(left):
            return run(2, queue=[1, 2], turns=left)
        turns = self.made([stop(14), round_of(0), run(3, turns=2), round_of(2), run(3, turns=1), round_of(1), run(4, turns=None), RECORDING[-1]], loop)
        self.assertEqual([event['words'] for event in turns.events if event['stack'][-1][2] == 2],
                         ['A round begins: 2 turns, because the queue holds 2 tasks.', 'The round goes on: 1 turn more.', 'The round has ended.'])

    def test_the_line_decides_after_which_a_task_is_not_in_the_queue_again(self):
        turns = self.made([*RECORDING[:7], run(4, runs=1, tasks=body('yielded')), run(2, tasks=body('yielded'), waits={'1': 'the end of task 2'}), *RECORDING[8:]])
        turns.data()
        decides = next(decides for words, _, decides in turns.possible(1) if 'in the queue' in words)
        self.assertEqual([event['stack'][-1][2] for event in turns.part(turns.turn_list, 1) if decides(event)], [3, 4])

    def test_a_run_is_cut_to_the_turns_of_its_twin(self):
        self.turns.cut(3)
        self.assertEqual((self.turns.printed, self.turns.numbers_of_turns), ('hello\n', [0, 1, 2]))
        self.turns.cut(2)
        self.assertEqual((self.turns.printed, self.turns.numbers_of_turns), ('', [0, 1]))
        self.assertEqual([turn[1] for turn in self.turns.data()['turns']], ['main', 'task 1'])
        self.assertEqual(self.turns.events[-1]['stack'][-1][2], 4)

    def test_a_line_that_throws_again_or_goes_back_says_so(self):
        program = PROGRAM.replace('say();', 'std::rethrow_exception(error);')
        self.turns = self.made([*RECORDING[:10], stop(8, 'Body::resume', runs=1, tasks=body('yielded')), stop(4, 'Body::resume', runs=1, tasks=body('yielded')),
                                {**RECORDING[11], 'out': '', 'tasks': body('yielded')}, *RECORDING[12:]], program=program)
        self.assertEqual([event['words'] for event in self.events('task 1')][-3:-1], ['Task 1 throws the exception again, to catch it.', 'Task 1 goes back to the beginning of its loop.'])

    def test_a_throw_and_a_catch_have_the_lines_where_they_happen(self):
        thrown = stop(8, 'Body::resume', runs=1, tasks=body('yielded'), kind='throw', what='runtime_error: no')
        caught = run(4, runs=1, tasks=body('yielded'), kind='catch', by='Scheduler::run')
        self.turns = self.made(RECORDING[:11] + [thrown, caught] + RECORDING[12:])
        found = [(event['kind'], event['stack'][-1][2], event['words']) for event in self.turns.events if event['kind'] in ('throw', 'catch', 'leaves')]
        self.assertEqual(found, [('throw', 8, 'An exception is thrown here: runtime_error: no.'),
                                 ('leaves', 4, 'Scheduler::run() catches it, and hands it on.')])

    def test_an_exception_leaves_a_function_for_the_catch_that_it_arrives_at(self):
        program = PROGRAM.replace('}\nint', '  }\n}\nint').replace('  scheduler.run();\n', '  scheduler.run();\n} catch (const Error& error) {\n')
        at = program.split('\n').index('} catch (const Error& error) {') + 1
        thrown = stop(8, 'Body::resume', runs=1, queue=[2], tasks=body('yielded'), kind='throw', what='runtime_error: no')
        arrives = stop(at, queue=[2], tasks=body('yielded'))
        self.turns = self.made([*RECORDING[:11], thrown, arrives, {**arrives, 'kind': 'catch', 'by': 'main'}, stop(14, queue=[2]), RECORDING[-1]], program=program)
        self.assertEqual([(event['kind'], event['words'], event['now']['r']) for event in self.turns.events[-4:-1]], [
            ('line', 'Task 1 calls say().', 1), ('throw', 'An exception is thrown here: runtime_error: no.', 1), ('catch', 'The exception arrives here and is caught, in main().', 0)])

    def test_a_line_that_throws_has_set_nothing(self):
        thrown = stop(8, 'Body::resume', runs=1, tasks=body('yielded'), kind='throw', what='runtime_error: no')
        for line, words in (('data_ = socket_.read(size_);', 'Task 1 calls read().'), ('sum_ += write(text(data_)).value;', 'Task 1 calls write().')):
            told = [self.made([*RECORDING[:11], *threw, *RECORDING[12:]], program=PROGRAM.replace('say();', line)).events for threw in ([thrown], [])]
            self.assertEqual([next(event['words'] for event in events if event['stack'][-1][2] == 8) for events in told], [words, f'Task 1 sets {line.split()[0]}.'])

    def test_an_exception_that_nobody_catches_is_told_of_from_body_to_body(self):
        error = {'1': 'runtime_error: no'}
        before = run(2, tasks=body('yielded'), errors=error)
        thrown = run(4, runs=1, tasks=body('yielded'), kind='throw', what='runtime_error: no')
        caught = run(4, runs=1, tasks=body('yielded'), kind='catch', by='Task::run')
        again = {**thrown, 'tasks': {'1': []}, 'errors': error}
        self.turns = self.made([*RECORDING[:7], before, run(3, queue=[1], tasks=body('yielded'), errors=error), run(4, runs=1, tasks=body('yielded'), errors=error),
                                thrown, caught, again, run(2), RECORDING[-1]])
        self.assertEqual([event['words'] for event in self.turns.events if event['kind'] in ('throw', 'leaves')],
                         ['The exception is thrown into Body.', "Body doesn't catch it, and is destroyed.", 'No caller is left: run() throws it on.'])
        self.assertEqual([event['delta']['p'] for event in self.turns.events if 'p' in event['delta']], [{}, error, {}])
        self.assertEqual([ev[3] for ev in self.turns.data()['ev'] if 'catch' in ev[6]], [6])

    def stacked(self, *stops, loop=LOOP, task=TASK):
        """A run of a task that has a stack."""
        return self.made([*RECORDING[:3], run(4, runs=1, tasks={'1': [OUTER]}), *stops, run(2), RECORDING[-1]], loop, STACKED, step='step06', task=task)

    def test_a_coroutine_that_nobody_pops_has_ended_and_its_caller_does_not_go_on(self):
        both = [OUTER, INNER]
        self.turns = self.stacked(in_run(4, both), in_body(4, both), *[in_run(line, both) for line in (8, 3, 4)], in_body(4, both), task=TASK.replace('        stack_.pop_back();\n      } else if', '\n      } else if', 1))
        self.assertEqual([event['words'] for event in self.turns.events if event['object'] or event['stack'][-1][2] == 8], [
            'Inner (task 1) ends: its body returns nullopt.', 'Has Inner yielded? No: it has ended.', 'Inner (task 1) ends: its body returns nullopt.'])

    def of_stack(self):
        return [event for event in self.turns.events if event['stack'][-1][0] == 'Task::run']

    def test_a_frame_appears_at_the_line_that_pushes_it_and_leaves_at_the_line_that_pops_it(self):
        one, both, seven, got = [OUTER], [OUTER, INNER], {'1': '7'}, [{**OUTER, 'has': {'sent': '7'}}]
        self.turns = self.stacked(in_run(3, one), in_run(4, one), in_body(3, one), in_run(8, one), in_run(10, one), in_run(11, one), in_run(12, both),
                                  in_run(3, both), in_run(4, both), in_body(9, both), in_run(8, both), in_run(10, both), in_run(13, both), in_run(14, both), in_run(15, one),
                                  in_run(3, one, answers=seven), in_run(4, one, answers=seven), in_body(6, got), in_body(4, got), in_run(8, got), in_run(9, got), in_run(3, []), in_run(20, []), in_run(21, []))
        self.assertEqual([(event['stack'][-1][2], event['words']) for event in self.of_stack()], [
            (3, 'Is the stack empty? No: Outer is innermost.'), (4, 'Task::run() resumes the innermost coroutine, which is Outer.'),
            (8, 'Has Outer yielded? Yes.'), (10, 'Has it yielded a Call? Yes.'), (11, 'The callee goes on top of the stack: Inner is innermost now.'),
            (12, 'Inner has not run yet: next, it begins.'), (3, 'Is the stack empty? No: Inner is innermost.'), (4, 'Task::run() resumes the innermost coroutine, which is Inner.'),
            (8, 'Has Inner yielded? Yes.'), (10, 'Has it yielded a Call? No.'), (13, 'Has it yielded a result? Yes.'), (14, 'Inner leaves the stack: Outer is innermost now.'),
            (15, 'Outer will get the result, 7.'), (3, 'Is the stack empty? No: Outer is innermost.'),
            (4, 'Task::run() resumes the innermost coroutine, which is Outer, with the answer 7.'),
            (8, 'Has Outer yielded? No: it has ended.'), (9, 'Outer leaves the stack: it is empty now.'), (3, 'Is the stack empty? Yes: no coroutine is left.'),
            (20, 'Is there an exception that no coroutine has caught? No.'), (21, 'The outermost coroutine has ended: Task::run() returns nullopt.')])
        self.assertEqual([(event['stack'][-1][2], [frame[0] for frame in event['delta']['task 1']]) for event in self.of_stack() if isinstance(event['delta'].get('task 1'), list)],
                         [(11, ['Outer', 'Inner']), (14, ['Outer']), (4, ['Outer']), (9, [])])  # in line 4, it gets the result
        self.assertEqual([event['words'] for event in self.turns.events if event['object']],
                         ['Outer (task 1) calls Inner() in line 3, and is suspended until it returns.', 'Inner (task 1) returns 7.',
                          'Outer (task 1) is resumed, at the top of resume().', 'Task 1 ends: its body returns nullopt.'])
        self.assertEqual([who for _, who in self.turns.turn_list], ['main', 'task 1'])  # a call or a return ends no turn

    def test_the_stack_of_step_8_says_who_is_resumed_who_has_ended_and_who_is_called(self):
        def coroutine(name, index):
            return {'id': name, 'name': name, 'state': index, 'has': {}}

        def inside(line, bodies):
            return {**in_body(line, bodies), 'stack': [*in_body(line, bodies)['stack'][:-1], [bodies[-1]['name'], 'program.cpp', line, bodies[-1]['id']]]}
        new, waits, ended = (coroutine('outer', index) for index in '246')
        calls, yields, returns = ([waits, coroutine('inner', index)] for index in '246')
        ended['done'] = True  # the other one says that it ends
        turns = self.made([*RECORDING[:3], run(4, runs=1, tasks={'1': [new]}), *(in_run(line, [new]) for line in (3, 4, 5, 6)), inside(2, [new]), *(in_run(line, calls) for line in (7, 9, 4, 5, 6)),
                           inside(5, calls), *(in_run(line, yields) for line in (7, 9, 10)), run(2, queue=[1], tasks={'1': yields}), run(4, runs=1, tasks={'1': yields}), in_run(6, yields), inside(6, yields),
                           in_run(7, returns), in_run(8, returns), *(in_run(line, [waits]) for line in (4, 5, 6)), inside(3, [waits]), in_run(7, [ended]), in_run(8, [ended]),
                           in_run(4, []), in_run(13, []), in_run(14, []), run(2), RECORDING[-1]], program=COMPILED_STACK, step='step08', task=COMPILED_TASK)
        self.turns = turns
        self.assertEqual([event['words'] for event in turns.events if event['stack'][-1][0] in ('Task::run', 'outer', 'inner')], [
            'In this turn, no system call has been asked for yet.', 'Is there an innermost coroutine? Yes: outer.', 'It is outer that is resumed.', 'Task::run() resumes outer, at resume index 2.',
            'The body begins. Task 1 calls inner() in line 2: await_suspend() makes it run next.', 'Has outer ended? No.', 'Is outer still innermost? No: it has called inner, which runs next.',
            'Is there an innermost coroutine? Yes: inner.', 'It is inner that is resumed.', 'Task::run() resumes inner, at resume index 2.', 'The body begins. Task 1 yields: it stops in line 5.',
            'Has inner ended? No.', 'Is inner still innermost? Yes: it has called no coroutine.', 'inner is suspended at a yield or at a system call: Task::run() returns true.',
            'Task::run() resumes inner, at resume index 4.', 'Resumed at index 4. inner (task 1) ends: it has reached the end of its body, where final_suspend() stops it.',
            'Has inner ended? Yes.', 'The frame of inner is destroyed: its caller, outer, is innermost now.', 'Is there an innermost coroutine? Yes: outer.', 'It is outer that is resumed.',
            'Task::run() resumes outer, at resume index 4.', 'Resumed at index 4. Task 1 ends: it has reached the end of its body, where final_suspend() stops it.', 'Has outer ended? Yes.',
            'The frame of outer is destroyed: no coroutine is left.', 'Is there an innermost coroutine? No: none is left.', 'Is there an exception that no coroutine has caught? No.',
            'The outermost coroutine has ended: Task::run() returns false.'])
        self.assertEqual([who for _, who in turns.turn_list], ['main', 'task 1', 'task 1'])
        self.assertEqual(turns.data()['states'], {'outer': ['2 → start', '4 → line 2', '6 → final_suspend()'], 'inner': ['2 → start', '4 → line 5', '6 → final_suspend()']})

    def test_a_yield_that_is_no_call_goes_to_the_scheduler(self):
        self.turns = self.stacked(in_run(4, [OUTER]), in_body(5, [{**OUTER, 'has': {'sent': '7'}}]), *[in_run(line, [OUTER]) for line in (8, 10, 13, 17)])
        self.assertEqual([event['words'] for event in self.turns.events if event['object'] or event['stack'][-1][2] in (13, 17)], [
            'Task 1 yields: it stops in line 5.', 'Has it yielded a result? No.', 'Neither a call nor a result: the stack stays as it is, and the scheduler gets the yield.'])
        self.assertNotIn('Has Outer yielded', str(list(runs.table(self.turns))))  # what was sent to it is gone, but that is not worth a sentence on paper

    def test_an_exception_goes_from_frame_to_frame(self):
        one, both, held = [OUTER], [OUTER, INNER], {'errors': {'1': 'runtime_error: no'}}
        thrown, caught = {'kind': 'throw', 'what': 'runtime_error: no'}, {'kind': 'catch', 'by': 'Task::run'}
        self.turns = self.stacked(in_run(4, both), in_body(9, both, **thrown), in_run(5, both, **caught), in_run(6, both), in_run(8, both, **held), in_run(9, both, **held),
                                  in_run(4, one, **held), in_run(4, one, **thrown), in_run(5, one, **caught), in_run(6, one), in_run(8, one, **held), in_run(9, one, **held),
                                  in_run(20, [], **held), in_run(20, [], **held, **thrown), in_run(20, [], **held))
        self.assertEqual([event['words'] for event in self.of_stack() if event['stack'][-1][2] not in (8, 9)], [
            'Task::run() resumes the innermost coroutine, which is Inner.', 'The exception arrives here and is caught, in Task::run().',
            'Inner has not caught it: the exception is kept for its caller, Outer.', 'Task::run() resumes the innermost coroutine, which is Outer, with the exception.',
            'The exception is thrown into Outer.', 'The exception arrives here and is caught, in Task::run().',
            'Outer has not caught it. No caller is left, so the scheduler will get the exception.',
            'Is there an exception that no coroutine has caught? Yes.', 'No caller is left: run() throws it on.'])

    def test_a_line_that_an_exception_leaves_is_told_of_once(self):
        thrown = in_run(20, [], kind='throw', what='runtime_error: no')
        self.turns = self.stacked(in_run(20, []), thrown, in_run(20, []), run(5, runs=1), {**run(5, runs=1), 'kind': 'catch', 'by': 'Scheduler::run'},
                                  loop=LOOP.replace('\n  }', '\n    } catch (...) {\n    }\n  }'))
        kinds = [event['kind'] for event in self.turns.events]
        self.assertEqual(kinds[kinds.index('throw'):][:2], ['throw', 'catch'])

    def test_the_stack_is_shown_below_the_loop(self):
        data = self.stacked(in_run(4, [OUTER]), in_body(5, [OUTER])).data()
        self.assertEqual([name for name, _ in data['src']], ['step06/program.cpp'])
        self.assertEqual([n for n, _ in data['stack']], list(range(1002, 1023)))
        self.assertEqual([[ev[1:3], ev[5].get('l')] for ev in data['ev'] if 'Task::run()' in ev[6]], [[[1, 1004], [4, 1004]]])
        self.assertNotIn('stack', self.made(RECORDING, task=TASK).data())

    def test_a_task_that_the_scheduler_reports_has_failed(self):
        for err, has in (('Task 1 failed: no\n', 'has failed'), ('', 'has finished')):
            self.turns = self.made([*RECORDING[:12], run(4, runs=1, tasks=body('yielded'), err=err), run(4, runs=1, tasks={}), run(2), RECORDING[-1]])
            self.assertEqual(self.turns.events[-1]['now']['task 1'], has)

    def test_a_task_that_was_killed_in_the_queue_has_no_turn(self):
        self.turns = self.made(RECORDING[:7] + [run(3, queue=[1]), run(4, runs=1), run(2), RECORDING[-1]])
        self.assertEqual([who for _, who in self.turns.turn_list], ['main', 'task 1'])

    def test_the_box_of_a_socket_tells_a_reset_from_a_hang_up(self):
        self.assertEqual([self.turns.end('anna', '5', state, '0', '0') for state in ('gone', 'reset')], [['anna', 5, 'has hung up', 'ready'], ['anna', 5, 'was reset', 'ready']])

    def test_a_state_is_not_asked_for_if_another_object_of_its_class_could_be_meant(self):
        def asked(recording):
            turns = self.made(recording)
            turns.data()
            return [[words for words, *_ in turns.possible(t) if 'state' in words] for t, (_, who) in enumerate(turns.turn_list) if who != 'main']
        outer, other = {'id': '9', 'name': 'Outer', 'state': 'called', 'has': {}}, {**body('start')['1'][0], 'id': '7'}
        called = [{**event, 'tasks': {who: [outer, *bodies] for who, bodies in event.get('tasks', {}).items()}} for event in RECORDING[:10]]
        ends = [{**called[8], 'tasks': {'1': [outer, *callee]}} for callee in ([], [other])]
        words = 'Task 1 is next. In which state is Body afterwards?'
        self.assertEqual([asked([*called, end, stop(15, tasks=end['tasks'], runs=1), RECORDING[-1]]) for end in ends], [[[words], [words]], [[words], []]])

    def test_a_coroutine_that_nobody_keeps_is_created_before_it_is_destroyed(self):
        made = stop(8, 'Body::resume', runs=1, tasks=body('yielded'))
        inside = {**made, 'stack': [*made['stack'], ['Other::Other', 'program.cpp', 1, '5']]}
        program = PROGRAM.replace('say();', 'std::make_shared<Other>("foo", 10);')
        self.turns = self.made([*RECORDING[:10], made, inside, *RECORDING[11:]], program=program)
        self.assertEqual([event['words'] for event in self.turns.events if 'make_shared' in self.turns.line_of(event['stack'][-1])],
                         ['Task 1 creates a coroutine.', 'The coroutine is destroyed: no line of its body has run.'])

    def test_a_condition_has_its_answer_if_the_next_line_tells_it(self):
        answers = []
        for code in ('if (i == 3) {|  x|}|y', 'while (n > 0) {|  x|}|y', 'if (i == 3)|  x|y', 'do {|  x|} while (!n);|y', 'for (;;) {|  if (i == 5) break;|  x|}|y', 'for (;;) {|  x|  if (i == 5) break;|}|y',
                     'if (i == 5) break;|y'):
            lines = code.split('|')
            asks = next(n for n, line in enumerate(lines) if re.match('(} | *)(if|while) ', line))
            for n in [n for n, line in enumerate(lines) if n != asks and line not in ('}', 'do {')]:
                at = [stop(8 + n, 'Body::resume', runs=1, tasks=body('yielded')) for n in (asks, n)]
                made = self.made([*RECORDING[:10], *at, run(2), RECORDING[-1]], program=PROGRAM.replace('      say();', '\n'.join('      ' + line for line in lines)))
                answers += [f'{lines[n].strip()}: {event["words"][13:]}' for event in made.events if 'asks:' in event['words']]
        self.assertEqual(answers, [
            'x: i == 3? Yes.', 'y: i == 3? No.', 'x: n > 0? Yes.', 'y: n > 0? No.', 'x: i == 3? Yes.', 'y: i == 3? No.', 'x: !n? Yes.', 'y: !n? No.',
            'for (;;) {: i == 5? No.', 'x: i == 5? No.', 'y: i == 5? Yes.', 'for (;;) {: i == 5? No.', 'x: i == 5?', 'y: i == 5? Yes.', 'y: i == 5? No.'])
        helper = stop(8, 'Body::resume', runs=1, tasks=body('yielded'))
        helper['stack'].append(['say', 'program.cpp', 9, ''])
        self.turns = self.made([*RECORDING[:10], stop(8, 'Body::resume', runs=1, tasks=body('yielded')), helper, run(2), RECORDING[-1]], program=PROGRAM.replace('say();', 'if (say())'))
        self.assertIn('Task 1 asks: say()?', [event['words'] for event in self.turns.events])
        asks, after = (stop(line, 'Body::resume', runs=1, tasks=body('yielded')) for line in (8, 9))
        self.turns = self.made([*RECORDING[:10], asks, helper, after, run(2), RECORDING[-1]], program=PROGRAM.replace('say();', 'if (say())\n  x'))
        self.assertIn('Task 1 goes on in line 8: say()? Yes.', [event['words'] for event in self.turns.events])

    def test_to_skip_a_killed_task_belongs_to_the_next_turn(self):
        two = {**body('yielded'), '2': [{'id': '2', 'name': 'Body', 'state': 'start', 'has': {}}]}
        skip = [run(3, queue=[2, 1], tasks=body('yielded')), run(4, queue=[1], runs=2, tasks=body('yielded'))]
        for event in skip:
            event['stack'][1][0] = 'Scheduler::run_next'
        turns = self.made([stop(14), stop(15, queue=[1, 2], tasks=two), run(2, queue=[1, 2], tasks=two), run(3, queue=[1, 2], tasks=two), run(4, queue=[2], runs=1, tasks=two),
                           *[{**event, 'queue': [2], 'tasks': two} for event in RECORDING[4:7]], run(2, queue=[2, 1], tasks=body('yielded')), *skip, *RECORDING[7:]], LOOP.replace('take();', 'while (!ready_.empty())'))
        self.assertEqual([(who, turns.events[start]['words']) for start, who in turns.turn_list[1:]], [('task 1', 'The queue is not empty: 1, 2.'), ('task 1', 'The queue is not empty: 2 (killed), 1.')])
        self.assertEqual([row[3] for row in runs.table(turns)], ['1 2', '2 (killed) 1', ''])
        data = turns.data()
        self.assertEqual(data['states'], {'Body': ['start → line 4', 'yielded → line 7']})
        self.assertEqual((data['lanes'], [turn[3] for turn in data['turns']]), (['main', 'task 1', 'task 2'], ['', '', '<i title="task 2 is dead and has no turn" style="--down:1;--who:var(--dot1)"></i>']))
        self.assertEqual([event['words'] for words, _, decides in turns.possible(1) if 'Whose' in words for event in turns.part(turns.turn_list, 1) if decides(event)], ['Task 1 leaves the queue. It has this turn.'])
        self.assertEqual([event['words'] for words, _, decides in turns.possible(2) if 'Whose' in words for event in turns.part(turns.turn_list, 2) if decides(event)], ['Task 1 leaves the queue. It has this turn.'])
        self.assertEqual([choices[0] for words, choices, _ in turns.possible(1) if 'queue' in words], ['2, 1'])
        ends = self.made([*RECORDING[:7], run(3, queue=[2], tasks={}), *skip[1:], run(2), RECORDING[-1]])  # nobody is left
        self.assertEqual(([who for _, who in ends.turn_list], [row[3] for row in runs.table(ends)]), (['main', 'task 1'], ['1', '2']))
        self.assertEqual([event['words'] for words, _, decides in turns.possible(1) if 'queue' in words for event in turns.part(turns.turn_list, 1) if decides(event)], ['Back in line 4 of the scheduler. The task has yielded: it goes to the end of the queue.'])

    def test_a_question_has_its_right_answer_once_among_the_choices_and_knows_the_line_that_decides(self):
        asked = [[*question, self.turns.events[decides]['stack'][-1][2]] for _, _, (*question, decides, where), _ in self.turns.data()['turns'][1:] if where == self.turns.at(self.turns.events[decides]['stack'][-1])]
        self.assertEqual(asked, [['Task 1 is next. In which state is Body afterwards?', ['has finished', 'yielded'], 1, 5],
                                 ['Task 1 is next. In which state is Body afterwards?', ['has finished', 'yielded'], 0, 10]])

    def test_a_resume_index_says_in_which_line_its_body_goes_on(self):
        recording = json.loads(json.dumps(RECORDING).replace('"start"', '"2"').replace('"yielded"', '"4"'))
        recording[9:9] = [stop(6, 'Body::resume', runs=1, tasks=body('4'))]
        program = COMPILED.replace('1;', '1;  // not co_await').replace('return std::nullopt;', 'co_await it;')
        data = self.made(recording, program=program).data()
        self.assertEqual(data['states']['Body'], ['2 → start', '4 → line 6', '6 → line 10'])  # the run doesn't reach the last one
        self.assertEqual([event[5]['task 1'][0][1] for event in data['ev'] if isinstance(event[5].get('task 1'), list)], ['2 → start', '4 → line 6', '4 → line 6'])
        done = [{**event, 'tasks': {who: [{**one, 'done': True} for one in bodies] for who, bodies in event.get('tasks', {}).items()}} for event in recording]  # its last index stays
        self.assertEqual(self.made(done, program=program).data()['states'], data['states'])
        with self.assertRaisesRegex(SystemExit, 'Body has the resume index 4, but too few lines'):
            self.made(recording, program=COMPILED.replace('co_yield 1', 'yield()')).data()

    def test_the_first_body_of_the_compiler_says_what_a_resume_index_is(self):
        made = [stop(13), stop(14, tasks=body('2'), queue=[1]), stop(15, tasks={**body('2'), '2': [{**body('2')['1'][0], 'id': '2'}]}, queue=[1, 2]), RECORDING[-1]]
        events = self.made(made, step='step08').events
        self.assertEqual([event['words'] for event in events if 'creates' in event['words']], [
            'main creates task 1 and its frame. No line of its body has run: it goes on at resume index 2.', 'main creates task 2. No line of its body has run yet.'])

    def compiled(self, *stops, **held):
        """What is said of lines of a body that the compiler has made: (line, code, index, and its caller, if it has one)."""
        outer = {'id': '9', 'name': 'Outer', 'state': '6', 'has': {}}
        recording, lines = [], PROGRAM.split('\n')
        for line, code, index, *more in stops:
            lines[line - 1] = code
            tasks = {'1': [*([outer] if more else []), {**body(index)['1'][0], 'has': held}]}
            recording.append(stop(line, 'Body::resume', runs=1, tasks=tasks, **(more[0] if more else {})))
        made = self.made([stop(14), stop(15, queue=[1], tasks=body('2')), run(3, queue=[1], tasks=body('2')), run(4, runs=1, tasks=body('2')), *recording, run(3, queue=[1], tasks=recording[-1]['tasks']), run(2), RECORDING[-1]],
                         program='\n'.join(lines), step='step08')
        return [event['words'] for event in made.events if event['who'] == 'task 1']

    def test_a_body_of_the_compiler_says_where_it_is_resumed_and_what_the_compiler_calls(self):
        self.assertEqual(self.compiled((6, 'id = co_await get_task_id();', '2')), ['The body begins. Task 1 stops in line 6: await_suspend() asks for get_task_id().'])
        self.assertEqual(self.compiled((8, 'say();', '4'), (10, '}', '4')),
                         ['Resumed at index 4. Task 1 calls say().', 'Task 1 ends: it has reached the end of its body, where final_suspend() stops it.'])
        self.assertEqual(self.compiled((8, 'co_return x;', '4', {'value': '7'})), ['Resumed at index 4. Body (task 1) returns 7: return_value() puts it into the awaiter of Outer.'])
        self.assertEqual(self.compiled((8, 'throw x;', '0')), ['The body begins. Task 1 throws an exception.'])

    def test_a_generator_of_the_compiler_keeps_what_it_yields_in_its_promise(self):
        def at(line, *inner):
            return {**stop(line), 'stack': [['main', 'program.cpp', line, ''], *inner], 'made': {'b': body('4', i='7')['1'][0]}}
        inside, program = ['Body', 'program.cpp', 6, '1'], PROGRAM.replace('return Nothing{};  // yield', 'sent = co_yield i;')
        gets = at(14, inside)
        gets['made'] = {'b': body('4', i='7', sent='"x"')['1'][0]}
        words = [event['words'] for event in self.made([at(14), at(14, inside), at(15), gets, {**gets, 'stack': [gets['stack'][0], [*inside[:2], 8, '1']]}, RECORDING[-1]], program=program, step='step08').events]
        self.assertEqual([*words[1:3], words[4]], ['Resumed at index 4. Body yields i, which is 7, in line 6: yield_value() stores it in the promise.',
                                      'resume() has returned: main goes on in line 14.', 'Resumed at index 4. Body goes on in line 6: await_resume() returns "x".'])
        throws = [event['words'] for event in self.made([at(14), at(14, inside), at(15), RECORDING[-1]], program=program.replace('scheduler.new_task(Body());', 'b.throw_into(error);'), step='step08').events]
        self.assertIn('throw_into() has returned: main goes on in line 14.', throws)

    def test_a_generator_that_is_resumed_twice_without_a_line_of_main_says_both_times_where(self):
        def at(line, index):
            return {**stop(14), 'stack': [stop(14)['stack'][0], ['Body', 'program.cpp', line, '1']], 'made': {'b': body(index)['1'][0]}}
        program = PROGRAM.replace('return Nothing{};  // yield', 'co_yield 1;').replace('say();', 'co_yield 2;')
        words = [event['words'] for event in self.made([stop(14), at(6, '2'), at(8, '4'), stop(15), RECORDING[-1]], program=program, step='step08').events]
        self.assertEqual([text.split('. ')[0] for text in words[1:3]], ['The body begins', 'Resumed at index 4'])

    def test_a_coroutine_that_is_called_runs_next(self):
        callee = {'id': '5', 'name': 'add', 'state': '2', 'has': {}}
        inside = stop(8, 'Body::resume', runs=1, tasks={'1': [*body('4')['1'], callee]})
        inside['stack'][-1] = ['add', 'program.cpp', 8, '5']
        self.turns = self.made([*RECORDING[:3], run(4, runs=1, tasks=body('4')), stop(6, 'Body::resume', runs=1, tasks=body('4')), inside, run(3, queue=[1], tasks=inside['tasks']), RECORDING[-1]],
                               program=PROGRAM.replace('return Nothing{};  // yield', 'co_await add(1, 2);'), step='step08')
        self.assertEqual([event['words'] for event in self.events('task 1')][:2],
                         ['Resumed at index 4. Task 1 calls add() in line 6: await_suspend() makes it run next.', 'The body begins. add (task 1) calls say().'])

    def test_a_callee_of_the_compiler_is_still_there_in_its_last_line(self):
        inside = stop(8, 'Body::resume', runs=1, tasks={'1': [*body('4')['1'], {'id': '5', 'name': 'add', 'state': '2', 'has': {}}]})
        inside['stack'][-1] = ['add', 'program.cpp', 8, '5']
        self.turns = self.made([*RECORDING[:3], run(4, runs=1, tasks=body('4')), stop(6, 'Body::resume', runs=1, tasks=body('4')), inside, stop(9, 'Body::resume', runs=1, tasks=body('4')), run(2, tasks=body('4')), RECORDING[-1]],
                               program=PROGRAM.replace('return Nothing{};  // yield', 'co_await add(1, 2);').replace('say();', 'co_return 3;'), step='step08')
        self.assertEqual([(event['stack'][-1][2], [frame[0] for frame in event['now']['task 1']]) for event in self.events('task 1')][-2:], [(8, ['Body', 'add']), (9, ['Body'])])

    def test_an_exception_that_a_body_of_the_compiler_does_not_catch_goes_into_its_promise(self):
        thrown, caught = (stop(line, 'Body::resume', runs=1, tasks=body('4'), kind=kind, what='runtime_error: no', by='Body') for line, kind in ((6, 'throw'), (12, 'catch')))
        program = PROGRAM.replace('return Nothing{};  // yield', 'co_await add(1, 2);').replace('};', '}')
        self.turns = self.made([*RECORDING[:3], run(4, runs=1, tasks=body('4')), thrown, caught, run(3, tasks=body('4')), RECORDING[-1]], program=program, step='step08')
        self.assertEqual([event['words'] for event in self.events('task 1')], ['await_resume() throws here: runtime_error: no.', "Body doesn't catch it: unhandled_exception() stores it in the promise."])

    def test_a_line_names_the_value_that_it_yields_or_returns(self):
        outer = {'id': '9', 'name': 'Outer', 'state': 'called', 'has': {}}
        both, back = {'1': [outer, *body('yielded')['1']]}, {'1': [{**outer, 'has': {'sent': '12'}}]}
        caller = stop(3, 'Body::resume', runs=1, tasks=back)
        caller['stack'][-1] = ['Outer::resume', 'program.cpp', 3, '9']
        self.turns = self.made([*RECORDING[:3], run(4, runs=1, tasks=both), stop(6, 'Body::resume', runs=1, tasks=both), caller, run(2), RECORDING[-1]], program=PROGRAM.replace('return Nothing{};  // yield', 'return ReturnValue{a_ + b_};'))
        self.assertEqual(self.events('task 1')[0]['words'], 'Body (task 1) returns 12: back to Outer.')
        held = body('yielded', i_='7')
        self.turns = self.made([*RECORDING[:6], stop(6, 'Body::resume', runs=1, tasks=held), run(3, queue=[1], tasks=held), *RECORDING[-2:]], program=PROGRAM.replace('return Nothing{};  // yield', 'return i_;  // yield i'))
        self.assertIn('Task 1 yields i_, which is 7: it stops in line 6.', [event['words'] for event in self.turns.events])

    def test_a_line_of_another_file_names_its_file(self):
        recording = json.loads(json.dumps(RECORDING))
        for event in recording:
            for place in event['stack']:
                if place[0] == 'Body::resume':
                    place[1] = 'body.hpp'
        self.turns = self.made(recording, body=PROGRAM)
        self.assertIn('Task 1 yields: it stops in body.hpp:6.', [event['words'] for event in self.turns.events])

    def test_a_scheduler_without_headers_has_turns_and_says_what_the_compiler_calls(self):
        program = '\n'.join([
            'struct Yield {', 'bool await_ready() { return false; }', 'void await_suspend(std::coroutine_handle<> h) { ready.push_back(h); }', 'void await_resume() {}', '};', 'struct promise_type {',
            'Task get_return_object() { return {}; }', 'Yield initial_suspend() { return {}; }', 'std::suspend_never final_suspend() noexcept { return {}; }', 'void return_void() {}', '};',
            'Task task1() {', '  co_await Yield();', '}', 'int main() {', 'task1();', 'while (!ready.empty()) {', 'const std::coroutine_handle<> next = ready.front();', 'ready.pop_front();', 'next.resume();', '}', '}'])

        def at(main, *stack, index='2', **held):
            tasks = {'tasks': {'1': [{'id': 'f', 'name': 'task1', 'state': index, 'has': {}}]}} if index else {'tasks': {}}
            return {**stop(main), 'stack': [['main', 'program.cpp', main, ''], *([name, 'program.cpp', line, address] for name, line, address in stack)], **tasks, **held}

        def called(line, name, main=20, index='4', **held):
            return at(main, *([('task1', 14, '')] if main == 16 else []), ('task1', 13, 'f'), (name, line, ''), index=index, **{'runs': None if main == 16 else 1, **held})
        loop = [at(17, queue=[1]), at(18, queue=[1]), at(19, queue=[1]), at(20)]
        again = [{**event, 'tasks': called(2, '')['tasks']} for event in loop]
        self.turns = self.made([
            at(16, index=None), at(16, ('task1', 14, ''), ('Task::promise_type::get_return_object', 7, ''), index=None), called(8, 'Task::promise_type::initial_suspend', 16, '2'),
            called(2, 'Yield::await_ready', 16, '2'), called(3, 'Yield::await_suspend', 16, '2'), *loop, called(4, 'Yield::await_resume', index='2'), at(20, ('task1', 13, 'f'), runs=1),
            called(2, 'Yield::await_ready'), called(3, 'Yield::await_suspend'), *again, called(4, 'Yield::await_resume'), called(10, 'Task::promise_type::return_void'),
            called(9, 'Task::promise_type::final_suspend'), at(17, index=None), RECORDING[-1]], '', program, 'step08')
        self.assertEqual([event['words'] for event in self.turns.events], [
            'main calls task1().', 'The call has made a frame. get_return_object() returns the Task for main.', "The compiler's code first awaits what initial_suspend() returns, a Yield.",
            'await_ready() returns false: the coroutine must be suspended.', 'await_suspend() puts the handle of the coroutine into the queue. Queue: 1.', 'The call has returned: main goes on in line 16.',
            'main asks: !ready.empty()? Yes.', 'main takes the handle at the front of the queue: that of task 1.', 'The handle of task 1 leaves the queue.', 'main resumes task 1.',
            'Task 1 is resumed at index 2: await_resume() returns nothing, and the body begins.', 'Task 1 awaits Yield(), in line 13.', 'await_ready() returns false: the coroutine must be suspended, at resume index 4.',
            'await_suspend() puts the handle of the coroutine into the queue. Queue: 1.', 'resume() has returned: main goes on in line 20.', 'main asks: !ready.empty()? Yes.',
            'main takes the handle at the front of the queue: that of task 1.', 'The handle of task 1 leaves the queue.', 'main resumes task 1.', 'Task 1 is resumed at index 4: await_resume() returns nothing, and the body goes on.',
            'Task 1 has reached the end of its body: return_void() is called.', "The compiler's code awaits what final_suspend() returns, a std::suspend_never: the frame is destroyed next.",
            'resume() has returned: main goes on in line 20.', 'main asks: !ready.empty()? No.'])
        self.assertFalse(self.turns.data()['waits'])  # not even for an answer
        self.assertEqual([event['now']['r'] for event in self.turns.events[6:11]], [0, 0, 1, 1, 1])  # main has taken its handle
        self.assertEqual(self.turns.events[-1]['now']['task 1'], 'has finished')
        self.assertEqual([(self.turns.events[start]['words'], who) for start, who in self.turns.turn_list], [('main calls task1().', 'main'), *[('main asks: !ready.empty()? Yes.', 'task 1')] * 2])

    def test_each_body_of_the_compiler_shows_where_it_goes_on(self):
        recording = json.loads(json.dumps(RECORDING).replace('"start"', '"2"').replace('"yielded"', '"4"'))
        recording[6] = stop(6, 'Body::resume', runs=1, tasks=body('2'))  # the line that yields, whose index changes when it is left
        data = self.made(recording, program=COMPILED).data()
        frames = [event[5]['task 1'][0] for event in data['ev'] if isinstance(event[5].get('task 1'), list)]
        self.assertEqual([frame[1] in data['states']['Body'] for frame in frames], [True] * len(frames))

    def test_poll_says_which_socket_is_ready_and_what_time_it_is(self):
        loop = ['', '  void poll_sockets() {', '    if (::poll(polled.data()))', '    for (socket : polled) {', '      if (socket.revents == 0)', '        ++wait;', '      schedule(id);']
        def at(line, **held):
            return {**run(line, waits={'2': [6, 'read', ''], '1': [5, 'read', '']}, net='0.40\nanna|5|open|0|0\nben|6|open|9|0\n', **held), 'stack': [
                ['main', 'program.cpp', 15, ''], ['Scheduler::poll_sockets', 'scheduler.hpp', line, 's']]}
        recording = [stop(15), at(3), at(4), at(5), at(6), at(4), at(5), at(7), at(4), RECORDING[-1]]
        words = self.spoken(recording, loop)
        self.assertEqual(words, ['poll() asks which sockets are ready.', 'On to the first socket.',
                                 'The socket of anna, for which task 1 waits: not ready, so the wait goes on.', 'On to the next socket.',
                                 'The socket of ben, for which task 2 waits: ready.', 'There is no other socket.'])

    def test_answers_deadlines_and_the_clock_are_on_stage(self):
        waits = run(2, waits={'1': [5, 'read', 'until 10.3 s']}, tasks=body('yielded'), net='0.40\nanna|5|open|0|0\n', answers={'1': '"GET"'})
        self.turns = self.made(RECORDING[:7] + [waits, run(2, net='0.50\nanna|5|open|0|0\n'), RECORDING[-1]])
        event = next(event for event in self.turns.events if event['delta'].get('w'))
        self.assertEqual((event['now']['t'], event['now']['a']), ('0.40', {'1': '"GET"'}))
        self.assertIn('waits until the socket of anna can be read, but only until 10.3 s.', event['words'])
        self.assertEqual(event['now']['k'], '0.40 s: the sockets, and who waits for them in poll(): task 1 until 10.3 s')

    def test_an_exception_that_waits_for_a_task_is_on_stage(self):
        self.turns = self.made(RECORDING[:7] + [run(3, queue=[1], tasks=body('yielded'), errors={'1': 'runtime_error: no'}), *RECORDING[8:]])
        self.assertEqual([event['delta']['p'] for event in self.turns.events if event['delta'].get('p')], [{'1': 'runtime_error: no'}])

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

    def test_a_poll_is_no_turn_and_has_no_number(self):
        self.turns = self.made(*self.served('anna sends on'))
        self.assertEqual([who for _, who in self.turns.turn_list], ['main', 'task 1', 'poll', 'task 1'])
        self.assertEqual([number for number, *_ in runs.table(self.turns)], [0, 1, '', 2])
        self.assertEqual([words for number, _, words, *_ in runs.table(self.turns) if number == ''], ['The network: anna sends “on”. poll() asks which sockets are ready. poll() has woken task 1. Queue: 1.'])

    def last_words(self, *made):
        data = self.made(*made).data()
        return [data['ev'][start - 1][-1] for start, *_ in [*data['turns'][1:], [len(data['ev'])]]]

    def test_the_last_line_of_a_poll_says_whom_it_has_woken(self):
        recording, loop = self.served('anna sends on')
        loop, end = loop.replace('  }', '    for (const pollfd& socket : polled)', 1), {**recording[9], 'stack': [recording[9]['stack'][0], ['Scheduler::poll_sockets', 'scheduler.hpp', 4, 's']]}
        self.assertEqual(self.last_words([*recording[:10], end, *recording[10:]], loop)[2], 'There is no other socket. poll() has woken task 1. Queue: 1.')
        still = {'waits': recording[8]['waits'], 'queue': [1]}  # whom a changed scheduler schedules, but does not forget
        self.assertEqual(self.last_words([*recording[:9], {**end, **still}, run(2, **still, tasks=body('yielded')), *recording[11:]], loop)[2], 'There is no other socket. poll() has woken task 1. Queue: 1.')
        asleep = {'waits': recording[8]['waits'], 'queue': [2]}
        self.assertEqual(self.last_words([*recording[:9], {**end, **asleep}, run(2, **asleep, tasks=body('yielded')), *recording[11:]], loop)[2], 'There is no other socket. poll() has woken nobody.')

    def test_the_last_line_of_a_turn_says_what_it_has_done_to_the_queue_or_the_waits(self):
        self.assertEqual(self.last_words(RECORDING)[1], 'Back in line 4 of the scheduler. The task has yielded: it goes to the end of the queue. Queue: 1.')
        loop, two = LOOP.replace('if (task.run()) ready_.push_back(task);', '(*call)(id);'), {'tasks': {**body('yielded'), '2': [{**body('start')['1'][0], 'id': '2'}]}}
        call, waits = run(4, runs=1, queue=[2], **two), {**two, 'queue': [2], 'mail': {'printer': [[], 1]}}
        call['stack'][1][0] = 'Scheduler::run_next'
        inside = {**call, 'stack': [*call['stack'], ['lambda', 'program.cpp', 8, '']]}
        asked = {**inside, 'stack': [*call['stack'], ['Mailbox::deliver', 'program.cpp', 6, '']], **waits}
        self.turns = self.made([*RECORDING[:7], call, inside, asked, run(2, **waits), run(3, **waits), {**stop(3, 'Body::resume'), **waits, 'runs': 2, 'queue': []}, RECORDING[-1]], loop)
        self.assertEqual(self.turns.data()['ev'][self.turns.turn_list[2][0] - 1][-1], 'The request of task 1 goes on in line 6. Task 1 waits for a message for printer.')

    def test_what_a_client_sends_is_quoted_and_a_byte_is_one_byte(self):
        self.turns = self.made(*self.served('anna sends on', 'ben sends e\r\n\n', 'anna leaves '))
        self.assertEqual([event['words'] for event in self.turns.events if event['kind'] == 'net'],
                         ['The network: anna sends “on”.', 'The network: ben sends “e⏎⏎”.', 'The network: anna leaves.'])
        self.assertEqual([end[2] for event in self.turns.events for end in event['delta'].get('n', [])], ['fd 5: 1 to read, 2 sent'])

    def test_the_table_says_who_waits(self):
        rows = list(runs.table(self.made(*self.served('anna sends on'))))
        self.assertEqual([waits for *_, waits, _ in rows], ['', 'task 1 until the socket of anna can be read', '', ''])

    def test_a_request_that_is_performed_has_its_name(self):
        recording, loop = self.served('anna sends on')
        program = PROGRAM.replace('return Nothing{};  // yield', 'return wait_for_read(s);  // yield wait_for_read(s)')
        self.turns = self.made(recording, loop, program)
        self.assertIn('The scheduler performs the request wait_for_read(s) of task 1. Task 1 waits until the socket of anna can be read.', [event['words'] for event in self.turns.events])

    def test_before_a_poll_one_predicts_which_task_it_wakes(self):
        turns = self.made(*self.served('anna sends on')).data()['turns']
        self.assertEqual(turns[2][2][:3], ['poll() is next. Which task does it wake?', ['1', 'none'], 0])

    def test_a_poll_that_finds_nothing_is_a_turn_too(self):
        recording, loop = self.served('anna sends on')
        at = next(n for n, event in enumerate(recording) if event['kind'] == 'net')
        nothing = [{**recording[at + 1], 'queue': []}, {**recording[at + 2], 'queue': [], 'waits': recording[at]['waits']}]
        turns = self.made([*recording[:at], *nothing, *recording[at + 3:]], loop)
        self.assertEqual([who for _, who in turns.turn_list], ['main', 'task 1', 'poll', 'task 1'])

    def test_poll_is_no_answer_in_a_run_without_one(self):
        two = {**body('yielded'), '2': [{'id': '2', 'name': 'Body', 'state': 'yielded', 'has': {}}]}
        waits = {'tasks': two, 'waits': {'2': 'the end of task 1'}}
        turns = self.made([{**event, **(waits if event['tasks'] else {})} if event['stack'] else event for event in RECORDING])
        turns.data()
        self.assertEqual([set(choices) for words, choices, _ in turns.possible(2) if 'Whose' in words], [{'task 1'}])

    def test_an_answer_that_tells_of_a_deadline_would_give_itself_away(self):
        now = {'q': [], 'w': {'1': [5, 'read', 'until 10.3 s']}, 'n': [['anna', 5, '', 'open']]}
        self.assertEqual(self.turns.whereabouts(now, 1), 'waits until the socket of anna can be read')

    def test_a_poll_says_whether_a_deadline_has_come(self):
        loop = ['', '  void poll_sockets() {', '    if (!ready && socket.fd != no_socket) {', '      const std::system_error error();', '      schedule_exception(id);', '    } else {', '      schedule(id);']
        for following, words in ((4, 'Yes'), (7, 'No')):
            self.assertIn(f'Has the deadline of a socket come first? {words}.', self.spoken([stop(15), run(3), run(following), RECORDING[-1]], loop))

    def test_a_poll_says_which_wait_has_a_deadline(self):
        loop = ['', '  void poll_sockets() {', '    Clock::time_point wake_up = no_deadline;', '    for (const auto& [id, wait] : waits_) {', '      wake_up = std::min(wake_up, wait.deadline);', '    }']
        waits = {'tasks': {**body('yielded'), '2': body('yielded')['1']}, 'waits': {'2': [6, 'read', 'until 10.3 s'], '1': [5, 'read', '']}}
        words = [event['words'] for event in self.made([stop(15), *(run(line, **waits) for line in (3, 4, 5, 4, 5)), RECORDING[-1]], '\n'.join(loop)).events]
        self.assertEqual([words[n] for n in (1, 3, 5)], ['May poll() sleep? Yes: no task is ready.', 'The wait of task 1 has no deadline.', 'Task 2 waits until 10.3 s: poll() must not sleep longer.'])
        words = [event['words'] for event in self.made([stop(15), *(run(line, queue=[3], **waits) for line in (3, 4, 5)), RECORDING[-1]], '\n'.join(loop)).events]
        self.assertEqual([words[n] for n in (1, 3)], ['May poll() sleep? No: a task is ready.', 'poll() does not sleep, so no deadline matters.'])

    def test_a_poll_says_whose_socket_it_lists_and_which_time_it_is(self):
        loop = ['', '  void poll_sockets() {', '    std::vector<pollfd> polled;', '    for (const auto& [id, wait] : waits_) {', '      polled.push_back(wait.socket);', '    }',
                '    const Clock::time_point now = Clock::now();', '    const bool ready = socket.revents != 0;', '    const TaskId id = wait->first;', '    schedule(id);']
        waits = {'tasks': {**body('yielded'), '2': body('yielded')['1']}, 'waits': {'2': 'the clock', '1': [5, 'read', '']}, 'net': '0.40\nanna|5|open|1|2\n'}
        turns = self.made([stop(15), *(run(line, **waits) for line in (3, 4, 5, 4, 5, 4, 7)), RECORDING[-1]], '\n'.join(loop))
        self.assertEqual([event['words'] for event in turns.events[2:8]], [
            'The next wait is that of task 1.', 'The scheduler lists the socket of anna, for which task 1 waits.', 'The next wait is that of task 2.',
            'Task 2 waits for the clock: it is listed without a socket.', 'There is no other wait.', 'What time is it? 0.40 s.'])
        poll = {**run(8, **waits), 'stack': [['main', 'program.cpp', 15, ''], ['Scheduler::poll_sockets', 'scheduler.hpp', 3, 's']]}
        loop[2] = '    if (::poll(polled.data()))'
        net = {**poll, 'kind': 'net', 'what': 'anna sends on', 'net': '0.50\nanna|5|open|3|2\n'}
        turns = self.made([stop(15), poll, net, *(run(line, **waits) for line in (8, 9, 10)), RECORDING[-1]], '\n'.join(loop))
        limited = self.made([stop(15), {**net, 'limit': '2.5 s'}, RECORDING[-1]], '\n'.join(loop))
        self.assertEqual([made.events[1]['now']['k'] for made in (turns, limited)], ['0.50 s: the sockets, and who waits for them in poll()', '0.50 s: no wait in poll() lasts longer than until 2.5 s'])
        self.assertEqual([(event['now']['t'], event['now']['n'][0][2]) for event in turns.events[1:3]], [('0.50', 'fd 5: 1 to read, 2 sent'), ('0.50', 'fd 5: 3 to read, 2 sent')])
        self.assertEqual(turns.events[1]['words'], 'poll() only looks, and does not sleep. In the script, it is 0.50 s then.')
        self.assertEqual([event['words'] for event in turns.events[3:5]], ['The socket of anna, for which task 1 waits: ready.', 'Whose wait is it? That of task 1.'])

    def test_a_task_that_was_killed_waits_no_longer(self):
        two, waits = {**body('yielded'), '2': body('yielded')['1']}, {'waits': {'2': 'the end of task 1'}}
        turns = self.made([*RECORDING[:7], run(3, queue=[1], tasks=two, **waits), run(4, runs=1, tasks=body('yielded'), **waits), run(2), RECORDING[-1]])
        self.assertIn({'2': 'the end of task 1'}, [event['now']['w'] for event in turns.events])
        self.assertFalse([event for event in turns.events if event['now'].get('task 2') == 'was killed' and event['now']['w']])

    def test_the_line_that_suspends_a_body_has_set_its_resume_index(self):
        def made(event, index):
            return {**event, 'made': {'b': body(index)['1'][0]}}
        inside = made({**stop(14), 'stack': [stop(14)['stack'][0], ['Body', 'program.cpp', 6, '1']]}, '2')
        turns = self.made([stop(14), inside, made(stop(15), '4'), RECORDING[-1]], program=PROGRAM.replace('return Nothing{};  // yield', 'co_yield 1;'), step='step08')
        self.assertEqual([(event['stack'][-1][2], event['now']['Body'][0][1]) for event in turns.events if event['object']], [(6, '4')])

    def test_no_question_offers_a_task_the_wait_for_its_own_end(self):
        run = types.SimpleNamespace(turn_list=[[0, 'task 1']], part=lambda *_: [], after=lambda *_: {'w': {'1': 'the end of task 2', '3': 'an answer'}},
                                    whereabouts=lambda now, i: f'waits for {now["w"][str(i)]}')
        self.assertEqual([Turns.waits_but_for(run, me) for me in (2, 4)], [['waits for an answer'], ['waits for the end of task 2', 'waits for an answer']])

    def test_the_last_line_decides_that_a_poll_wakes_nobody(self):
        turns = self.made(*self.served('anna sends on'))
        turns.data()
        part = turns.part(turns.turn_list, 2)
        part[-1]['now']['w'] = turns.events[turns.turn_list[2][0] - 1]['now']['w']
        for event in part:
            event['delta'].pop('q', None)
        self.assertEqual([[decides(event) for event in part] for words, _, decides in turns.possible(2) if 'wake' in words], [[False] * (len(part) - 1) + [True]])

    def test_poll_is_no_answer_before_a_turn_that_begins_with_one(self):
        turns = self.made(*self.served('anna sends on'))
        turns.data()
        for name, answers in (('Scheduler::run', {'poll', 'task 1'}), ('Scheduler::poll_sockets', {'task 1'})):
            turns.events[turns.turn_list[3][0]]['stack'][-1][0] = name
            turns.events[turns.turn_list[3][0] - 1]['now']['w'] = {'2': 'the clock'}
            self.assertEqual([set(choices) for words, choices, _ in turns.possible(3) if 'Whose' in words], [answers])

    def test_a_question_that_has_always_the_same_answer_is_not_asked(self):
        again = RECORDING[7:10] + [stop(6, 'Body::resume', runs=1, tasks=body('yielded'))]
        data = self.made(RECORDING[:7] + 4 * again + [run(3, queue=[1], tasks=body('yielded')), RECORDING[-1]]).data()
        self.assertEqual([question for _, _, question, _ in data['turns'] if question], [])

    def test_a_task_that_waits_for_an_answer_waits_during_a_poll_too(self):
        recording, loop = self.served('anna sends on')
        for event in recording[8:11]:
            event.update(tasks={**body('yielded'), '2': body('yielded')['1']})
        with unittest.mock.patch.object(Turns, 'has_asked', return_value=True):
            self.turns = self.made(recording, loop)
        self.assertEqual([event['now']['w'].get('2') for event in self.turns.events if event['stack'][-1][0].endswith('poll_sockets')], ['an answer', 'an answer'])

    def test_an_answer_never_comes_once_the_loop_has_been_left(self):
        thrown = {**run(4, runs=1, tasks=body('yielded')), 'kind': 'throw', 'what': 'runtime_error: no'}
        caught = {**stop(15, tasks=body('yielded')), 'kind': 'catch', 'by': 'main'}
        for what, waits in (('yield stop()', {'1': 'an answer that never comes'}), ('yield', {})):
            program = PROGRAM.replace('Nothing{};  // yield', f'stop();  // {what}')
            self.turns = self.made([*RECORDING[:7], thrown, caught, stop(15, tasks=body('yielded')), RECORDING[-1]], program=program)
            self.assertEqual(self.turns.events[-1]['now']['w'], waits)

    def test_a_task_that_a_changed_scheduler_does_not_put_back_has_not_ended(self):
        self.turns = self.made([*RECORDING[:7], run(2), RECORDING[-1]])
        back = next(event['words'] for event in self.turns.events if event['words'].startswith('Back'))
        self.assertEqual((back, self.turns.events[-1]['now']['task 1']), ('Back in line 4 of the scheduler. The task is not put back.', 'was destroyed'))
        self.turns = self.made(RECORDING, LOOP.replace('push_back', 'push_front'))
        self.assertIn('Back in line 4 of the scheduler. The task has yielded: it goes to the front of the queue.', [event['words'] for event in self.turns.events])

    def test_a_scheduler_that_takes_the_last_task_says_so(self):
        loop = LOOP.replace('take();', 'id = ready_.back();').replace('pop_front', 'pop_back')
        self.turns = self.made([stop(14), run(2, queue=[2, 1], tasks=body('start')), run(3, queue=[2, 1], runs=1, tasks=body('start')), run(4, queue=[2], runs=1, tasks=body('start')), *RECORDING[4:]], loop)
        words = [event['words'] for event in self.turns.events]
        for expected in ('The scheduler looks at the end of its queue: task 1.', 'Task 1 leaves the queue. It has this turn.'):
            self.assertIn(expected, words)

    def test_a_task_in_the_queue_that_no_longer_exists_says_how_it_has_ended(self):
        finished, killed = [run(2, queue=[1]), run(3, queue=[1], runs=1), run(4, runs=1), run(2), RECORDING[-1]], run(4, runs=1, queue=[1], tasks=body('yielded'))
        killed['stack'].append(['lambda', 'program.cpp', 1, ''])
        for ends, expected in (([], 'has finished'), ([killed], 'was killed')):
            self.turns = self.made([*RECORDING[:6], stop(6 if ends else 10, 'Body::resume', runs=1, tasks=body('yielded')), *ends, *finished], LOOP.replace('take();', 'if (!task) return;'))
            words = [event['words'] for event in self.turns.events]
            self.assertIn(f'No: task 1 {expected} while it was in the queue. So it has no turn.', words)
            self.assertIn(f'Task 1 leaves the queue. It {expected} meanwhile.', words)
            self.assertIn(f'Task 1 {expected} while it was in the queue: there is no task that could run.', words)

    def test_a_task_that_nobody_puts_back_is_named_when_the_loop_ends(self):
        loop = LOOP.replace('take();', 'while (!ready_.empty()) {')
        self.turns = self.made([*RECORDING[:7], run(2, tasks=body('yielded')), RECORDING[-1]], loop)
        self.assertIn('The queue is empty: the loop ends. Nobody has put task 1 into the queue again.', [event['words'] for event in self.turns.events])

    def test_a_request_that_is_not_yielded_is_dropped(self):
        program = PROGRAM.replace('say();', 'kill_task(victim_);')
        self.turns = self.made([*RECORDING[:11], stop(10, 'Body::resume', runs=1, tasks=body('yielded')), *RECORDING[12:]], program=program)
        self.assertIn('Task 1 makes the request kill_task(victim_), and drops it: nobody performs it.', [event['words'] for event in self.turns.events])

    def test_a_poll_may_sleep_if_no_task_is_ready(self):
        for code, queue, words in (('ready_.empty()', [], 'No task is ready, so poll() may sleep.'), ('ready_.empty()', [1], 'A task is ready, so poll() must not sleep.'),
                                   ('true', [1], 'A task is ready, and yet poll() may sleep.')):
            self.turns = self.made([stop(14), run(2, queue=queue), run(3, queue=queue), RECORDING[-1]], LOOP.replace('take();', f'poll_sockets({code});'))
            self.assertIn(f'The scheduler asks for ready sockets. {words}', [event['words'] for event in self.turns.events])
            poll = {**run(3, queue=queue, net='0.50\n'), 'stack': [['main', 'program.cpp', 15, ''], ['Scheduler::poll_sockets', 'scheduler.hpp', 3, 's']]}
            for start, said in (('0.40', 'asks which sockets are ready. In the script, it is 0.50 s then.'), ('0.30', 'sleeps until something happens: in the script, at 0.50 s.')):
                recording = [stop(14), run(2, queue=queue, net=f'{start}\n'), {**poll, 'net': f'{start}\n'}, {**poll, 'kind': 'net', 'what': 'anna sends on'}, run(4, queue=queue), RECORDING[-1]]
                self.turns = self.made(recording, LOOP.replace('take();', f'poll_sockets({code});').replace('ready_.pop_front();', '::poll(polled)'))
                self.assertIn(f'poll() {"only looks, and does not sleep. In the script, it is 0.50 s then." if "not" in words else said}', [event['words'] for event in self.turns.events])

    def test_a_round_counts_who_no_longer_exists(self):
        loop = LOOP.replace('take();', 'for (std::size_t turns = ready_.size(); turns > 0; --turns) run_next();')
        two = {**body('yielded'), '2': body('yielded')['1']}
        killed = run(4, queue=[1, 2], tasks=body('yielded'))
        killed['stack'].append(['lambda', 'program.cpp', 1, ''])
        self.turns = self.made([stop(14), stop(15, queue=[1, 2], tasks=two), killed, run(2, queue=[1, 2], tasks=body('yielded')), run(3, queue=[1, 2], turns=2, tasks=body('yielded')), RECORDING[-1]], loop)
        self.assertIn('A round begins: 2 turns, because the queue holds 2 tasks, 1 of which no longer exists.', [event['words'] for event in self.turns.events])

    def test_main_asks_a_generator_for_its_first_yield(self):
        call = {**stop(13), 'stack': [stop(13)['stack'][0], ['Body::resume', 'program.cpp', 3, '1']], 'made': {'gen': body('start')['1'][0]}}
        self.turns = self.made([stop(12), {**stop(13), 'made': call['made']}, call, stop(14), RECORDING[-1]], program=PROGRAM.replace('int main() {', 'int main() { for (gen.rewind(); gen.valid(); gen.next())'))
        self.assertEqual(self.turns.events[1]['words'], 'main asks for the first yield.')

    def test_of_a_scheduler_with_other_names_only_the_lines_are_named(self):
        recording = [{**event, 'runs': None, 'queue': [], 'tasks': {}} for event in RECORDING]
        turns = self.made(recording)
        (turns.root / 'step03/expected').mkdir()
        (turns.root / 'step03/expected/program.txt').write_text(turns.printed)
        played = runs.described(turns.root, 'step03', 'program', True)
        with unittest.mock.patch('sys.stderr', io.StringIO()):
            runs.complete(turns.root, [played], ['\n'.join(map(json.dumps, recording))])
        self.assertEqual({event[-1] for event in json.loads(played['data'])['ev']},
                         {*(f'Line {n} of program.cpp.' for n in (3, 5, 6, 8, 10, 14, 15)), *(f'Line {n} of scheduler.hpp.' for n in (2, 3, 4))})

    def test_a_scheduler_with_other_names_is_unknown(self):
        self.assertFalse(runs.is_unknown(self.turns))
        self.assertTrue(runs.is_unknown(self.made([{**event, 'runs': None, 'queue': [], 'tasks': {}} for event in RECORDING])))
        self.assertFalse(runs.is_unknown(self.made([*RECORDING[:3], run(2), RECORDING[-1]])))  # it runs nobody

    def test_a_line_of_the_scheduler_that_nobody_knows_says_what_it_prints_and_does_to_the_queue(self):
        for held, words in (({}, 'The scheduler runs line 2.'), ({'queue': [2]}, 'The scheduler runs line 2. Queue: 2.'), ({'out': 'hello\n'}, 'The scheduler prints “hello”.')):
            self.turns = self.made([stop(14), run(2), run(3, **held), RECORDING[-1]])
            self.assertIn(words, [event['words'] for event in self.turns.events])

    def test_a_loop_that_is_left_early_leaves_its_queue(self):
        self.turns = self.made([stop(14), run(2, queue=[2, 1]), stop(15, queue=[2, 1]), RECORDING[-1]])
        self.assertIn('The loop has ended: main goes on in line 15. The queue still holds 2, 1.', [event['words'] for event in self.turns.events])

    def test_a_task_that_stays_in_the_queue_still_exists(self):
        self.turns = self.made([*RECORDING[:7], run(2, queue=[1], tasks=body('yielded')), run(3, queue=[1], tasks=body('yielded')), RECORDING[-1]], LOOP.replace('take();', 'if (!task) return;'))
        self.assertNotIn('No: ', ' '.join(event['words'] for event in self.turns.events))

    def test_what_has_no_words_is_only_thrown(self):
        self.turns = self.made([*RECORDING[:6], {**RECORDING[5], 'kind': 'throw', 'what': 'an exception'}, {'kind': 'crash', 'stack': [], 'what': 'SIGABRT'}])
        self.assertTrue(self.turns.events[-1]['words'].startswith('An exception is thrown here. '))

    def test_the_signals_have_no_socket(self):
        self.assertEqual(self.turns.socket({'n': [['signals', 4, 'fd 4', 'open']]}, 4), 'the descriptor of signals')

    def test_what_run_has_returned_is_told(self):
        def returned(*ends, program=PROGRAM, line='yielded = task->run();', step='step04'):
            recording = json.loads(json.dumps([*RECORDING[:6], *ends, run(3, runs=1, tasks=body('yielded')), RECORDING[-1]]).replace('Scheduler::run', 'Scheduler::run_next'))
            self.turns = self.made(recording, LOOP.replace('if (task.run()) ready_.push_back(task);', line), program, step)
            return [event['words'] for event in self.turns.events if event['words'].startswith('Back')][0]
        yields, end = (stop(line, 'Body::resume', runs=1, tasks=body('yielded')) for line in (6, 10))
        place = 'Back in line 4 of the scheduler: run() has returned'
        self.assertEqual(returned(yields), f'{place} a plain yield.')
        self.assertEqual(returned(yields, program=PROGRAM.replace('Nothing{};  // yield', 'stop();  // yield stop()')), f'{place} the request stop().')
        self.assertEqual(returned(end), f'{place} nullopt: the body has ended.')
        self.assertEqual(returned(end, line='finished = !task->run();', step='step08'), f'{place} false: the body has ended.')
        self.assertEqual(returned(yields, line='finished = !task->run();', step='step08'), f'{place} true.')

    def test_a_turn_without_an_end_is_shown_as_far_as_one_reads(self):
        again = [stop(line, 'Body::resume', runs=1, tasks=body('yielded')) for line in (8, 9)]
        for times, turns, said in ((99, 2, False), (150, 3, True)):
            self.turns = self.made([*RECORDING[:9], *times * again, {'kind': 'goes on', 'stack': []}])
            self.assertEqual((len(self.turns.turn_list), ' lines, this turn has not ended, so nobody else has one.' in self.turns.events[-1]['words']), (turns, said))
            self.assertLessEqual(len(self.turns.events), 120)
        self.turns = self.made([*RECORDING[:10], *300 * again[:1], {'kind': 'goes on', 'stack': []}])  # in one line
        self.assertRegex(self.turns.events[-1]['words'], 'After 30[0-9] lines, this turn has not ended, so nobody else has one.')
        found = [run(3, runs=1, queue=[1], tasks={}), run(2, queue=[1], tasks={})]  # nobody takes it out of the queue
        self.turns = self.made([*RECORDING[:12], *150 * found, {'kind': 'goes on', 'stack': []}])
        self.assertRegex(self.turns.events[-1]['words'], 'Since this turn ended, the loop has looked only at task 1, and nobody has run.')
        self.assertRegex(list(runs.table(self.turns))[-1][2], 'returns nullopt[.] .*Since this turn ended, [^.]*[.]$')

    def with_schedule(self, queue=(1,)):
        """A run whose schedule() has been changed, so that its lines play, and the same run without these lines."""
        loop, done = LOOP.replace('if (task.run()) ready_.push_back(task);', 'schedule(id);') + '\n  void schedule(TaskId id) {\n    find(id);\n    ready_.push_front(id);\n  }\n', {'tasks': body('yielded')}
        calls = run(4, runs=1, **done)
        inside = [{**calls, 'stack': [*calls['stack'], ['Scheduler::schedule', 'scheduler.hpp', n, 's']]} for n in (8, 9)]
        after = [run(3, queue=list(queue), **done), run(4, runs=1, queue=list(queue[1:]), **done), *RECORDING[9:]]
        return [self.made([*RECORDING[:7], *between, *after], loop) for between in ([calls, *inside], [calls])]

    def test_a_function_of_the_scheduler_that_has_been_changed_plays(self):
        turns, original = self.with_schedule()
        start = next(i for i, event in enumerate(turns.events) if event['enters'])
        self.assertEqual([event['words'] for event in turns.events[start:start + 4]], [
            'Now schedule() runs, which has been changed.', 'schedule() runs line 8 of the scheduler.', 'Task 1 goes to the front of the queue. Queue: 1.', 'Task 1 leaves the queue. It has this turn.'])
        self.assertEqual([who for _, who in turns.turn_list], ['main', 'task 1', 'task 1'])
        self.assertIsNone(runs.leaves(turns, original))  # it has more lines, but does the same
        self.assertEqual(runs.leaves(self.with_schedule((1, 1))[0], original), 10)  # the line of schedule() that does something else
        self.assertEqual([n for n, _ in turns.data()['loop']], [1, 2, 3, 4, 5, 0, 7, 8, 9, 10])

    def test_what_is_done_with_an_empty_queue_is_undefined(self):
        turns = self.made([*RECORDING[:12], *[run(line, tasks={}) for line in (2, 3, 2)], RECORDING[-1]], LOOP.replace('take();', 'ready_.front();'))
        self.assertEqual([event['words'] for event in turns.events[-4:]], [
            'The queue is empty, so nobody stands at its front. What happens from here on is undefined.', 'The scheduler runs line 3.', 'The queue is empty, so nobody stands at its front.',
            'The loop has ended: main goes on in line 15.'])
        program = PROGRAM.replace('scheduler.new_task(Body());', 'next = ready.front();').replace('scheduler.run();', 'next.resume();')
        self.assertEqual([event['words'] for event in self.made([stop(14), stop(15), RECORDING[-1]], program=program).events], [
            'main takes a handle out of an empty queue. What happens from here on is undefined.', 'main resumes the handle, which is that of no task.'])

    def test_a_loop_without_another_line_is_where_a_run_stays(self):
        self.turns = self.made([*RECORDING[:11], {'kind': 'goes on', 'stack': [], 'what': 'in its last line'}])
        self.assertEqual(self.turns.events[-1]['words'], 'Task 1 calls say(). Here it stays: this turn does not end, so nobody else has one.')

    def test_the_last_line_says_how_a_program_crashes(self):
        crash = {'kind': 'crash', 'stack': [], 'what': 'SIGSEGV'}
        self.turns = self.made([*RECORDING[:6], crash])
        self.assertEqual(self.turns.events[-1]['words'], 'Task 1 sets state_ = yielded again. The program ends here, because it crashes (SIGSEGV).')
        self.assertRegex(list(runs.table(self.made([*RECORDING[:9], crash])))[-1][2], 'The program ends here, because it crashes .SIGSEGV..$')  # on paper, too
        self.assertEqual(len(self.made([RECORDING[0], crash]).events), 1)
        thrown = {**RECORDING[5], 'kind': 'throw', 'what': 'runtime_error: no'}
        self.turns = self.made([*RECORDING[:6], thrown, {**thrown, 'kind': 'catch', 'by': 'main', 'err': 'terminate called\n'}, {**RECORDING[5], 'err': '  what(): no\n'}, {**crash, 'what': 'SIGABRT'}])
        self.assertEqual(self.turns.events[-1]['delta']['e'], 'terminate called\n  what(): no\n')
        self.assertEqual(self.turns.events[-1]['words'], 'An exception is thrown here: runtime_error: no. The program ends here, because nobody catches the exception (SIGABRT).')

    def test_the_end_of_the_queue_to_which_a_task_goes_is_that_of_the_recording(self):
        ends = [self.turns.where({'q': old}, {'q': queue}, code) for old, queue, code in (
            ([2], [2, 1], ''), ([], [1], ''), ([2], [1, 2], ''), ([], [1], 'push_front'), ([1, 2], [1, 2, 1], ''), ([1, 2], [2, 1, 2], ''), ([1], [1, 1], ''))]
        self.assertEqual(ends, ['to the end of', 'to the end of', 'to the front of', 'to the front of', 'to the end of', 'to the front of', 'to the end of'])
        changed = self.made(RECORDING, LOOP.replace('push_back', 'push_front'))
        self.assertEqual([changed.where({'q': old}, {'q': queue}) for old, queue in (([], [1]), ([], [3, 1]), ([2], [2, 1]))], ['into', 'into', 'to the end of'])

    def in_queue(self, first, taken, then):
        """Whose turns there are if the queue is so before a turn, in it, and after it; and for each line of the first one, who has the turn, and whether the queue has him, too."""
        held = {'tasks': body('yielded'), 'waits': {'1': 'the end of task 7'}}
        a_turn = [run(2), run(3, runs=1), *RECORDING[3:7]]
        queues = [first, first, *[taken] * 4]
        turns = self.made([*RECORDING[:2], *[{**event, **held, 'queue': queue} for event, queue in zip(a_turn, queues)], *[{**event, **held, 'queue': then} for event in a_turn], RECORDING[-1]])
        self.assertNotIn('waits', turns.part(turns.turn_list, 1)[-1]['words'])  # which it did before
        for event in turns.events[2:]:
            self.assertNotEqual(event['now']['r'] > 0, event['now']['w'] != {})  # who has the turn does not wait
        return [who for _, who in turns.turn_list], [(event['now']['r'], event['now']['h']) for event in turns.part(turns.turn_list, 1)]

    def test_a_task_that_is_in_the_queue_twice_has_the_turn_though_it_waits(self):
        self.assertEqual(self.in_queue([1, 1], [1], [1, 1]), (['main', 'task 1', 'task 1'], [(1, 0), *[(1, 1)] * 6, (0, 0)]))

    def test_a_task_that_nobody_takes_out_of_the_queue_has_the_turn_when_its_body_runs(self):
        self.assertEqual(self.in_queue([1], [1], [1, 1]), (['main', 'task 1', 'task 1'], [*[(1, 0)] * 3, *[(1, 1)] * 4, (0, 0)]))

    def test_who_waits_for_a_task_that_is_gone_is_told_nothing_if_the_recording_says_so(self):
        two = {**body('yielded'), '2': body('yielded')['1']}
        program = PROGRAM.replace('return Nothing{};  // yield', 'return wait_task(2);  // yield wait_task(2)')
        turns = self.made([*RECORDING[:7], run(3, queue=[2], tasks=two, waits={'1': 'the end of task 2'}), run(4, runs=2, tasks=two, waits={'1': 'the end of task 2'}),
                           run(2, tasks=body('yielded')), RECORDING[-1]], LOOP.replace('if (task.run()) ready_.push_back(task);', 'kill_task(id);'), program)
        self.assertIn('Task 2 has ended, and is removed. Nobody tells task 1, which waits for that.', [event['words'] for event in turns.events])
        self.assertEqual(turns.events[-1]['now']['w'], {'1': 'the end of task 2'})

    def test_a_body_that_has_only_yielded_has_not_asked(self):
        loop = LOOP.replace('if (task.run()) ready_.push_back(task);', 'yielded = task.run();\n    if (std::get_if<Call>(task)) {')
        for yielded, answer in (('Nothing{};  // yield', 'No: it has only yielded'), ('stop();  // yield stop()', 'Yes')):
            self.turns = self.made([*RECORDING[:7], *(run(line, runs=1, tasks=body('yielded')) for line in (4, 5, 3)), run(2, tasks=body('yielded')), RECORDING[-1]], loop, PROGRAM.replace('Nothing{};  // yield', yielded))
            self.assertIn(f'Has the body asked for something? {answer}.', [event['words'] for event in self.turns.events])

    def test_a_line_that_throws_sets_nothing(self):
        program = PROGRAM.replace('say();', 'child_ = std::any_cast<TaskId>(sent);')
        thrown = {**RECORDING[10], 'kind': 'throw', 'what': 'bad any_cast'}
        self.turns = self.made([*RECORDING[:11], thrown, RECORDING[12], RECORDING[-1]], program=program)
        self.assertIn('Task 1 calls any_cast().', [event['words'] for event in self.turns.events])

    def test_what_a_line_does_is_read_from_the_line(self):
        self.turns = self.made([*RECORDING[:12], run(2, runs=1, tasks=body('yielded')), run(3), RECORDING[-1]], LOOP.replace('take();', 'const Request request = task->request;'))
        self.assertIn('The scheduler copies the request, which the task keeps.', [event['words'] for event in self.turns.events])
        for code, words in (('return std::make_shared<Body>(*this);', 'clone() copies the body of task 1.'), ('return std::make_shared<Body>();', 'clone() runs for task 1.')):
            inside = {**RECORDING[10], 'stack': [*RECORDING[10]['stack'][:2], ['Body::clone', 'program.cpp', 8, '1']]}
            self.turns = self.made([*RECORDING[:10], inside, {**RECORDING[11], 'out': ''}, *RECORDING[12:]], program=PROGRAM.replace('say();', code))
            self.assertIn(words, [event['words'] for event in self.turns.events])
        one = [OUTER]
        self.turns = self.stacked(in_run(4, one), in_body(3, one), in_run(6, one), in_run(8, one), in_run(9, one), in_run(3, []), in_run(20, []), in_run(21, []))
        self.assertIn('Has Outer yielded? No: it has thrown.', [event['words'] for event in self.turns.events])

    def test_an_address_names_a_line_of_a_turn_or_of_a_poll(self):
        self.assertEqual([runs.address(self.turns, n) for n in (0, self.turns.turn_list[1][0])], ['turn-0.1', 'turn-1.1'])
        polled = self.made(*self.served('anna sends on'))
        start = next(start for start, who in polled.turn_list if who == 'poll')
        self.assertRegex(runs.address(polled, start + 1), r'^poll-\d+[.]2$')

    def test_a_condition_ends_with_its_parenthesis(self):
        event = self.turns.events[0] | {'then': 0}
        for code, asked in (('if (i_ == 3) throw error("no");', 'i_ == 3?'), ('while (next(i_, f(1)) != 0);', 'next(i_, f(1)) != 0?')):
            self.assertEqual(self.turns.asked(event, f'    {code}'), asked)

    def test_a_line_that_only_leads_past_a_catch_leaves_what_happened_to_the_line_before(self):
        loop = LOOP.replace('ready_.push_back(task);', '(*call)(id);\n    } catch (...) {')
        waits = {'tasks': body('yielded'), 'waits': {'1': 'the end of task 2'}}
        self.turns = self.made(RECORDING[:7] + [run(4, runs=1, tasks=body('yielded')), run(5, runs=1, tasks=body('yielded')), run(2, **waits), RECORDING[-1]], loop)
        self.assertEqual([event['stack'][-1][2] for event in self.turns.events if event['delta'].get('w')], [4])

    def test_the_script_of_the_network_is_known_before_and_ticked_off(self):
        self.assertEqual(runs.script('2 anna connects\n3 anna sends on\n4 anna sends e\\r\\n\\n\n12 kernel raises SIGTERM\n'),
                         ['0.2 s: anna connects', '0.3 s: anna sends “on”', '0.4 s: anna sends “e⏎⏎”', '1.2 s: kernel raises SIGTERM'])
        self.turns = self.made(*self.served('anna connects', 'time passes', 'anna leaves'))
        self.assertEqual([event['delta'].get('c') for event in self.turns.events if event['kind'] == 'net'], [1, None, 2])

    def test_the_table_for_paper_tells_what_happens_in_a_turn(self):
        self.assertEqual(list(runs.table(self.turns))[1:], [
            (1, 'task 1', 'Task 1 sets state_ = yielded. Task 1 yields: it stops in line 6. '
                          'The task has yielded: it goes to the end of the queue.', '1', '', 'Body: yielded'),
            (2, 'task 1', 'Task 1 prints “hello”. Task 1 ends: its body returns nullopt. '
                          'The body has ended, so the task is not put back.', '', '', 'has finished')])
        self.assertEqual([runs.plain(f'Back in line 4 of the scheduler{words}') for words in ('.', ': run() has returned the request client(...).', ': run() has returned x(...). Task 2 is new.', '. Task 2 is new.')],
                         ['', '', 'Task 2 is new.', 'Task 2 is new.'])
        self.assertEqual(runs.values([['Outer', 'called', {}, 1], ['Body', 'yielded', {'i_': '7', 'n_': '2'}, 2]]), 'Outer: called; Body: yielded, i_ = 7, n_ = 2')


class Changed(unittest.TestCase):
    """A run with another line."""
    before = {'program.cpp': PROGRAM, 'scheduler.hpp': LOOP}

    def made(self, change):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = Path(folder.name)
        (root / 'step03/expected').mkdir(parents=True)
        (root / 'step03/program.cpp').write_text(PROGRAM)
        (root / 'step03/scheduler.hpp').write_text(LOOP)
        (root / 'step03/expected/program.change').write_text(change)
        return runs.changed(root, 'step03', 'program')

    def test_one_line_is_another_one(self):
        question, files = self.made('what if?\n-say();\n+say(1 < 2);\n')
        self.assertEqual(question, 'what if?')
        self.assertEqual(files, self.before | {'program.cpp': PROGRAM.replace('say()', 'say(1 < 2)')})
        data = {'src': [['step03/program.cpp', lines_of(files['program.cpp'])]], 'loop': []}
        self.assertEqual(runs.show_change(data, self.before, files), 'step03/program.cpp, line 8')
        shown = [re.sub('</?i( [^>]*)?>', '', line) for line in data['src'][0][1] if '<del>' in line]
        self.assertEqual(shown, ['<del>      say();</del><ins>      say(1 &lt; 2);</ins>'])

    def test_a_line_of_the_loop_is_another_one(self):
        _, files = self.made('what if?\n-push_back(task)\n+push_front(task)\n')
        data = {'src': [['step03_scheduler/program.cpp', lines_of(PROGRAM)]], 'loop': [[n, line] for n, line in enumerate(lines_of(files['scheduler.hpp']), 1)]}
        self.assertEqual(runs.show_change(data, self.before, files), 'step03_scheduler/scheduler.hpp, line 4')
        self.assertEqual([n for n, line in data['loop'] if '<del>' in line and '<ins>' in line], [4])

    def test_a_function_that_is_no_part_of_the_loop_is_shown_if_it_has_another_line(self):
        other = '\n  void schedule() {\n    ready_.push_back(id);\n  }\n\n  void other();\n'
        files = self.before | {'scheduler.hpp': LOOP + other.replace('back', 'front')}
        for loop, name in (['loop', 'scheduler.hpp'], ['stack', 'task.hpp']):
            data = {'src': [['step03_scheduler/program.cpp', lines_of(PROGRAM)]], 'loop': [], loop: [[n, line] for n, line in enumerate(lines_of(LOOP), 1)]}
            self.assertEqual(runs.show_change(data, {name: LOOP + other}, {name: files['scheduler.hpp']}), f'step03_scheduler/{name}, line 8')
            shown = [[n % runs.OF_STACK, '<ins>' in line, re.sub('<[^>]*>', '', line)] for n, line in data[loop][5:]]
            self.assertEqual(shown, [[0, False, ''], [7, False, 'void schedule() {'], [8, True, '  ready_.push_back(id);  ready_.push_front(id);'], [9, False, '}']])

    def test_the_functions_are_named_in_which_a_line_has_been_changed(self):
        text = '''class Scheduler {
  /// Starts.
  void run() {
    a;

    b;
  }

  void schedule(TaskId id, Value answer = {}) {
    c;
  }

  Task* find(TaskId id) {
    g;
  }

  /// Ends.
  bool kill_task(TaskId id) {
    d;
    e;
    return true;
  }

  Value value_;
};
'''
        for old, new, found in (('    c;', '    x;', ['schedule']), ('    c;\n', '', ['schedule']), ('    d;\n', '', ['kill_task']), ('    e;\n', '    e;\n    f;\n', ['kill_task']), ('  Value value_;', '  Value v_;', []),
                                ('    a;', '    x;', ['run']), ('    g;', '    x;', ['find']), ('    b;', '    x;', []), ('    d;\n', 'x', ['kill_task'])):
            self.assertEqual(runs.changed_functions(text, text.replace(old, new)), found, (old, new))
        self.assertEqual(runs.changed_functions(text, text.replace('    c;\n', '').replace('    e;', '    x;')), ['schedule', 'kill_task'])

    def test_lines_may_come_and_go(self):
        text = PROGRAM.replace('      say();\n', '').replace('int main() {', '// new\nint main() {').replace('{}', '{1}').replace('  take();\n', '')
        files = {'program.cpp': text, 'scheduler.hpp': LOOP.replace('    take();\n', ''), 'new.hpp': ''}
        data = {'src': [['step03/program.cpp', lines_of(text)]], 'loop': [[n, line] for n, line in enumerate(lines_of(files['scheduler.hpp'])[:-1], 1)]}
        self.assertEqual(runs.show_change(data, self.before, files), 'step03/program.cpp, lines 6, 8 and 12; step03/scheduler.hpp, line 2')
        shown = {n: re.sub('</?[is]( [^>]*)?>', '', line) for n, line in [*enumerate(data['src'][0][1], 1), *data['loop']] if '<del>' in line or '<ins>' in line}
        self.assertEqual(shown, {6: '<del>      return Nothing{};  // yield</del><ins>      return Nothing{1};  // yield</ins>', 8: '<del>      say();</del>    }',
                                 12: '<ins>// new</ins>', 2: '<del>  take();</del>    ready_.pop_front();'})

    def test_the_other_line_may_be_there_before(self):
        _, files = self.made('what if?\n-say();\n+return Nothing{};\n')
        self.assertEqual(runs.show_change({'src': [['step03/program.cpp', lines_of(files['program.cpp'])]], 'loop': []}, self.before, files), 'step03/program.cpp, line 8')

    def test_a_line_that_is_not_there_or_is_there_twice_is_not_changed(self):
        for line, places in ('nowhere();', 0), ('state_', 2):
            with unittest.mock.patch('sys.stderr', io.StringIO()) as said:
                self.assertIsNone(self.made(f'what if?\n-{line}\n+x\n'))
            self.assertIn(f'program.change: "{line}" is in {places} places', said.getvalue())


class Kept(unittest.TestCase):
    """What is made again, and what is kept."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for file in ('step03/a.cpp', 'step03/b.hpp', 'step03/README.md', 'step03/expected/a.network', 'step03/expected/a.txt', 'step04/a.cpp', 'tools/trace/record_lines.py',
                     'tools/learn/setup.sh', 'tools/book/templates/page.html', 'tools/book/static/style.css', 'bin/gdb', 'build/x', 'work/x', '.git/x'):
            self.write(file, file)

    def write(self, file, text):
        (self.root / file).parent.mkdir(parents=True, exist_ok=True)
        (self.root / file).write_text(text)
        (self.root / file).chmod(0o755)

    def changing(self, made):
        """The files whose change changes what is made of them."""
        def now():
            with unittest.mock.patch.dict('os.environ', PATH=str(self.root / 'bin')):
                return made()
        found = []
        for file in sorted(path for path in self.root.rglob('*') if path.is_file()):
            text, before = file.read_text(), now()
            file.write_text(text[::-1])
            found += [str(file.relative_to(self.root))] * (now() != before)
            file.write_text(text)
        return found

    def test_a_recording_is_made_again_if_its_program_or_the_recorder_has_changed(self):
        self.assertEqual(self.changing(lambda: runs.recording(self.root, self.root, 'step03', 'a')),
                         ['bin/gdb', 'step03/a.cpp', 'step03/b.hpp', 'step03/expected/a.network', 'tools/learn/setup.sh', 'tools/trace/record_lines.py'])

    def test_a_copy_of_the_project_keeps_its_recordings(self):
        folder = Path('runs')
        with tempfile.TemporaryDirectory() as other:
            shutil.copytree(self.root, other, dirs_exist_ok=True)
            self.assertEqual(runs.recording(Path(other), folder, 'step03', 'a'), runs.recording(self.root, folder, 'step03', 'a'))

    def test_the_site_is_made_again_if_any_file_or_program_has_changed(self):
        files = {str(path.relative_to(self.root)) for path in self.root.rglob('*') if path.is_file()}
        self.assertEqual(set(self.changing(lambda: book.inputs(self.root))), files - {'build/x', 'work/x', '.git/x'})

    def test_the_site_is_made_again_if_a_file_is_new_or_gone_or_a_package_has_changed(self):
        before = book.inputs(self.root)
        self.write('docs/new.md', '')
        self.assertNotEqual(book.inputs(self.root), before)
        (self.root / 'docs/new.md').unlink()
        self.assertEqual(book.inputs(self.root), before)
        with unittest.mock.patch.object(book.jinja2, '__version__', '0'):
            self.assertNotEqual(book.inputs(self.root), before)

    def test_the_site_is_made_again_if_a_page_of_it_has_changed_or_is_gone(self):
        site = self.root / 'step03'
        self.assertEqual(set(self.changing(lambda: book.outputs(site))), {str(path.relative_to(self.root)) for path in site.rglob('*') if path.is_file()})
        before = book.outputs(site)
        (site / 'a.cpp').unlink()
        self.assertNotEqual(book.outputs(site), before)


if __name__ == '__main__':
    unittest.main()
