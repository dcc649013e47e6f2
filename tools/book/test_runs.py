import subprocess
import tempfile
import unittest
from pathlib import Path

import runs
from reader import ROOT

TWO = '''turn 1
who task 1
queue 1 2
stop program.cpp:6 calls Add(1)
frame Main start i_=0 | Main called i_=1
out added
stop program.cpp:13 returns
frame Add start text_="a = \\"b\\"" | Add start text_="a = \\"b\\""
stop program.cpp:8 asks wait_task(2) and waits
frame Main called i_=1 sent=7 | Main waited i_=7
ready 2

turn 2
who task 2
queue 2
stop program.cpp:13 yields
frame Add start | Add yielded
ready

turn 3
who task 1
queue 1
stop program.cpp:8 yields
frame Main waited i_=7 | Main waited i_=7
ready 1

'''
SOURCE = '''class Main {
  resume() {
    switch (state_) {
    case State::start:
      state_ = State::called;
      return Call{};
    case State::called:
      return wait_task(2);
  }
};
class Add {
    case State::start:
      return 1;
};
Coroutine<> add(int i) {
}
'''


class Recording(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / 'step/expected').mkdir(parents=True)
        (self.root / 'step/program.cpp').write_text(SOURCE)
        self.turns = runs.Reader(self.root, 'step', 'program', TWO).turns

    def test_turn_is_told_in_the_order_in_which_it_happened(self):
        self.assertEqual([e['what'] for e in self.turns[0]['events']],
                         ['calls Add(1)', 'prints “added”', 'returns', 'yields wait_task(2) and waits'])

    def test_frame_resumed_twice_in_a_turn_is_shown_from_before_the_turn_to_after_it(self):
        main, add = self.turns[0]['frames']['task 1']
        self.assertEqual((main['state'], main['old'], main['new']), (['start', 'waited'], {'i_': '0'}, {'i_': '7'}))
        self.assertEqual((main['sent'], 'end' in main), ('7', False))

    def test_callee_that_has_returned_is_shown_in_that_turn_only(self):
        self.assertEqual([(f['name'], f.get('end')) for f in self.turns[0]['frames']['task 1']], [('Main', None), ('Add', 'has returned')])
        self.assertEqual([f['name'] for f in self.turns[1]['frames']['task 1']], ['Main'])

    def test_frame_that_did_not_run_has_no_change(self):
        self.assertEqual(self.turns[1]['frames']['task 1'], [{'name': 'Main', 'state': ['waited', 'waited'], 'new': {'i_': '7'}, 'sent': '', 'at': 'step/program.cpp:8'}])

    def test_text_with_quotes_and_spaces_is_one_member(self):
        self.assertEqual(self.turns[0]['frames']['task 1'][1]['new'], {'text_': '"a = \\"b\\""'})

    def test_place_where_a_body_was_resumed_is_the_case_of_its_state(self):
        self.assertEqual([e['from'] for e in self.turns[0]['events'] if 'at' in e], [f'step/program.cpp:{n}' for n in (4, 12, 7)])

    def test_coroutine_of_the_compiler_starts_at_its_first_line(self):
        self.assertEqual(runs.entrances('f', SOURCE.splitlines())['add', '2'], 'f:15')

    def test_task_that_is_not_ready_waits_for_its_request(self):
        self.assertEqual(self.turns[0]['waits'], {'task 1': 'wait_task(2)'})

    def test_task_that_has_left_the_queue_without_waiting_was_killed_and_is_gone_then(self):
        self.assertEqual(self.turns[1]['frames']['task 2'][0]['end'], 'was killed')
        self.assertEqual(list(self.turns[2]['frames']), ['task 1'])

    def test_recording_that_prints_something_else_is_an_error(self):
        (self.root / 'step/expected/program.txt').write_text('added\n')
        runs.check(self.root, 'step', 'program', TWO)
        (self.root / 'step/expected/program.txt').write_text('added\nand more\n')
        runs.check(self.root, 'step', 'program', TWO + 'and so on\n')
        self.assertRaises(SystemExit, runs.check, self.root, 'step', 'program', TWO)


class Machines(unittest.TestCase):
    def runs(self, step):
        text = subprocess.run([ROOT / 'tools/trace', '--members', step, 'two_tasks'], capture_output=True, text=True).stdout
        return {'step': step, 'program': 'two_tasks', 'read': runs.Reader(ROOT, step, 'two_tasks', text)}

    def test_both_machines_of_two_tasks_are_in_step(self):
        hand, compiler = self.runs('step03_scheduler'), self.runs('step08_cpp20')
        if not hand['read'].turns[0]['frames']['task 1'][0]['name']:
            self.skipTest('what coroutines hold, because gdb is not installed, or not allowed to trace')
        self.assertIs(runs.by_hand([hand, compiler], compiler), hand)
        second = lambda run: run['read'].turns[2]['frames']['task 1'][0]
        self.assertEqual((second(hand)['state'], second(hand)['new']), (['yielded', 'yielded'], {'i_': '2'}))
        self.assertEqual((second(compiler)['state'], second(compiler)['new']), (['4', '4'], {'i': '2'}))
        hand['read'].turns.pop()
        self.assertIsNone(runs.by_hand([hand, compiler], compiler))
