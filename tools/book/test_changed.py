import io
import re
import tempfile
import types
import unittest
import unittest.mock
from pathlib import Path

import runs
from recorded import COMPILED, LOOP, PROGRAM, RECORDING, Recorded, body, stop
from turns import lines_of


class Beside(Recorded):
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
        self.assertEqual([moments[n][3:] for n in (1, 7, 8, 13, -1)], [['turn-0.2', 'as it was, turn 0 of 2: main, queue: 1'], ['turn-1.6', 'as it was, turn 1 of 2: task 1, queue: empty'], ['turn-1.7', 'as it was, turn 1 of 2: task 1, queue: 1'],
                                                                       ['turn-2.6', 'as it was, turn 2 of 2: task 1, queue: empty'], ['turn-2.9', 'as it was: it has ended']])
        short = self.made(RECORDING)
        short.cut(2)  # it has no turn 2
        self.assertEqual({tuple(moment[3:]) for moment in runs.beside(self.turns, short, True)[9:]}, {('turn-1.7', 'as it was: it has ended')})
        short.more = True
        self.assertEqual([runs.beside(self.turns, short, True)[n][4] for n in (6, -1)], ['as it was, turn 1: task 1, queue: empty', 'as it was: not recorded so far'])
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

    def test_a_run_is_cut_to_the_turns_of_its_twin(self):
        self.turns.cut(3)
        self.assertEqual((self.turns.printed, self.turns.numbers_of_turns), ('hello\n', [0, 1, 2]))
        self.turns.cut(2)
        self.assertEqual((self.turns.printed, self.turns.numbers_of_turns), ('', [0, 1]))
        self.assertEqual([turn[1] for turn in self.turns.data()['turns']], ['main', 'task 1'])
        self.assertEqual(self.turns.events[-1]['stack'][-1][2], 4)


class Changed(unittest.TestCase):
    """A run with another line."""
    before = {'program.cpp': PROGRAM, 'scheduler.hpp': LOOP}

    def made(self, change):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = Path(folder.name)
        (root / 'tools/trace/runs').mkdir(parents=True)
        (root / 'step03').mkdir()
        (root / 'step03/program.cpp').write_text(PROGRAM)
        (root / 'step03/scheduler.hpp').write_text(LOOP)
        (root / 'tools/trace/runs/step03_program.change').write_text(change)
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
            self.assertIn(f'program: "{line}" is in {places} places', said.getvalue())
