import io
import re
import types
import unittest.mock
from pathlib import Path

import jinja2

import beside
import runs
from recorded import LOOP, PROGRAM, RECORDING, YIELDED, Recorded, Scratch, inside
from turns import OF_STACK, lines_of


class Beside(Recorded):
    """Two runs beside each other."""

    def setUp(self):
        super().setUp()
        self.turns = self.made(RECORDING)
        silent = [*RECORDING[:10], inside(10, **YIELDED), *RECORDING[-2:]]
        self.other = self.made(silent)

    def test_a_run_with_another_line_leaves_the_original_where_another_line_runs(self):
        self.assertEqual(beside.leaves(self.other, self.turns), 13)
        self.assertIsNone(beside.leaves(self.turns, self.turns))
        ends = self.made(RECORDING)
        del ends.events[9:]  # it crashes there
        self.assertEqual(beside.leaves(ends, self.turns), 8)
        written = self.made(RECORDING, PROGRAM.replace('return Nothing', 'return  Nothing'))
        self.assertIsNone(beside.leaves(written, self.turns))

    def test_a_twin_has_the_same_turns_as_far_as_both_are_recorded(self):
        def made(step, more, *turns):
            return types.SimpleNamespace(program='a', step=step, more=more,
                                         turn_list=list(enumerate(turns)))
        for mine, its, same in (
                ((0, 'main', 'A'), (0, 'main', 'a'), True),
                ((1, 'main', 'A', 'main'), (1, 'main', 'a'), True),
                ((0, 'main', 'A', 'main'), (1, 'main', 'a'), False),
                ((1, 'main', 'task 1', 'main'), (1, 'main', 'task 2'), False)):
            turns, other = made('step01', *mine), made(beside.STEP8, *its)
            self.assertEqual(beside.twin([turns, other], turns), other if same else None)
        self.assertIsNone(beside.twin([turns], turns))

    def test_each_moment_of_a_run_has_one_of_the_other_side(self):
        moments = beside.beside(self.other, self.turns, True)
        self.assertEqual(len(moments), len(self.other.events))
        self.assertEqual([moments[n][3:] for n in (1, 8, -1)], [
            ['turn-0.2', ['was then', ['of all', 0, 2], 'main', '1']],
            ['turn-1.7', ['was then', ['of all', 1, 2], 'task 1', '1']],
            ['turn-2.9', ['had ended']]])
        self.assertEqual([moment[1:] for moment in beside.beside(self.turns, self.turns)][5:7],
                         [[4, 1, 'turn-1.4', 'state_ = start'],
                          [5, 1, 'turn-1.5', 'state_ = yielded']])

    def test_a_poll_is_beside_the_poll_after_the_same_turn(self):
        few, many = (types.SimpleNamespace(numbers_of_turns=numbers)
                     for numbers in ([0, 1, '', 2], [0, 1, 2, '', '', 3]))
        self.assertEqual([beside.same_turn(few, many, t) for t in range(4)], [0, 1, 1, 2])
        self.assertEqual([beside.same_turn(many, few, t) for t in range(6)], [0, 1, 3, 3, 3, None])
        self.assertEqual([beside.same_turn(many, many, t) for t in range(6)], [*range(6)])

    def test_a_run_is_cut_to_the_turns_of_its_twin(self):
        self.turns.cut(2)
        self.assertEqual((self.turns.printed, self.turns.numbers_of_turns), ('', [0, 1]))
        self.assertEqual([turn[1] for turn in self.turns.data()['turns']], ['main', 'task 1'])


class Changed(Scratch):
    """A run with another line."""
    before = {'program.cpp': PROGRAM, 'scheduler.hpp': LOOP}

    def made(self, change):
        self.write({**{f'step03/{name}': text for name, text in self.before.items()},
                    'tools/trace/runs/step03_program.change': change})
        return runs.changed(self.root, 'step03', 'program')

    def test_a_table_says_of_which_program_it_is(self):
        loader = jinja2.FileSystemLoader(Path(runs.__file__).with_name('templates'))
        table = jinja2.Environment(loader=loader).get_template('table.html')
        turns = Beside.made(self, RECORDING)
        files = {'scheduler.hpp': LOOP.replace('back', 'front')}
        run = {'files': files, 'program': '', 'asks': ['', ''], 'data': turns.data(), 'of': 1}
        runs.show_other_line(run, turns, None, self.before)
        for shown, its, zh in ((run, 'with your change in scheduler.hpp:4', '改动在 scheduler.hpp:4'),
                               ({'what': 1}, 'unchanged', '本表是没有改动的程序')):
            shown['turns'] = [[], []]
            self.assertIn(f'This table shows the program {its}.<', table.render(shown=shown))
            self.assertIn(f'{zh}。<', table.render(shown=shown | {'script': [[], []]}, zh=True))
            self.assertNotIn('<ul>', table.render(shown=shown | {'script': [[], []]}))

    def test_the_lines_that_differ_are_shown(self):
        after = PROGRAM.replace('      say();\n', '').replace('int main', '// new\nint main')
        after = after.replace('{}', '{1}')
        files = {'program.cpp': after, 'scheduler.hpp': LOOP.replace('push_back', 'push_front')}
        loop = [[n, line] for n, line in enumerate(lines_of(files['scheduler.hpp'])[:6], 1)]
        data = {'src': [['step03/program.cpp', lines_of(after)]], 'loop': loop}
        self.assertEqual(runs.show_change(data, self.before, files),
                         'step03/program.cpp:6,8,12; step03/scheduler.hpp:4')
        lines = [*enumerate(data['src'][0][1], 1), *loop]
        shown = {n: re.sub('</?[is]( [^>]*)?>', '', line) for n, line in lines
                 if '<del>' in line or '<ins>' in line}
        self.assertEqual(sorted(shown), [4, 6, 8, 12])
        self.assertEqual([shown[8], shown[12]],
                         ['<del>      say();</del>    }', '<ins>// new</ins>'])

    def test_a_function_that_is_no_part_of_the_loop_is_shown_if_it_has_another_line(self):
        other = '\n  void schedule() {\n    ready_.push_back(id);\n  }\n\n  void other();\n'
        for pane, name in ('loop', 'scheduler.hpp'), ('stack', 'task.hpp'):
            data = {'src': [['step03/program.cpp', []]], 'loop': [], pane: [[1, 'run']]}
            texts = ({name: LOOP + text} for text in (other, other.replace('back', 'front')))
            self.assertEqual(runs.show_change(data, *texts), f'step03/{name}:16')
            self.assertEqual([n % OF_STACK for n, line in data[pane] if '<ins>' in line], [16])

    def test_the_functions_are_named_in_which_a_line_has_been_changed(self):
        for old, new, found in (('take();', 'x', ['run']), ('    take();\n', '', ['run']),
                                ('(*call)(id)', 'x;\n\n  y', ['run_next']),
                                ('  }\n\n', '  }\n  Value value_;\n\n', [])):
            self.assertEqual(runs.changed_functions(LOOP, LOOP.replace(old, new)), found, old)

    def test_a_line_that_is_not_there_or_is_there_twice_is_not_changed(self):
        _, files = self.made('what if?\n-say();\n+say(1);\n')
        self.assertEqual(files['program.cpp'], PROGRAM.replace('say()', 'say(1)'))
        for line, places in ('nowhere();', 0), ('state_', 2):
            with unittest.mock.patch('sys.stderr', io.StringIO()) as said:
                self.assertIsNone(self.made(f'what if?\n-{line}\n+x\n'))
            self.assertIn(f'program: "{line}" is in {places} places', said.getvalue())
