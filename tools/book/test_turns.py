import re
import unittest

import runs
import says
from recorded import COMPILED, END, RECORDING, TASK, YIELDED, Recorded
from recorded import body, in_task, inside, loop, stop

OUTER, INNER = body(name='Outer', ident='2'), body(name='Inner', ident='3')
ONE, BOTH = {'tasks': {'1': [OUTER]}}, {'tasks': {'1': [OUTER, INNER]}}
SCRIPT = [{'net': '0.40\nanna|5|open|0|0\n', 'waits': {'1': [5, 'read', 'until 9 s']}}]
SCRIPT += [{**SCRIPT[0], 'kind': 'net', 'what': 'anna sends on', 'net': '0.70\nanna|5|open|2|0\n'}]
SCRIPT += [{'net': SCRIPT[1]['net'], 'queue': [1]}]
SERVED = [*RECORDING[:7], *(loop(12, function='poll_sockets', **YIELDED, **its) for its in SCRIPT),
          loop(3, **YIELDED, **SCRIPT[2]), *RECORDING[8:]]


class Played(Recorded):
    """Recordings, and what is played of them."""

    def check(self, recording, keys, *words, **sources):
        turns = self.made(recording, **sources)
        self.assertEqual(self.said(turns, *keys.split(', ')), [*words])
        return turns

    def test_a_run_of_a_body_that_yields_once(self):
        turns = self.made(RECORDING)
        deltas = ('start', {}), ('yielded', {}), ('yielded', {'i_': '7'})
        self.assertEqual([event['stack'][-1][2] for event in turns.events],
                         [14, 15, 3, 4, 3, 4, 5, 6, 4, 3, 4, 3, 7, 8, 10, 4, 2, 15])
        self.assertEqual(self.said(turns), [
            'Task 1 is new.', 'main runs line 15.', 'Task 1 is next.',
            'The scheduler runs scheduler.hpp:4.', 'Task 1 runs line 3.',
            'The switch goes to case start: task 1 begins.', 'Task 1 sets state_ = yielded.',
            'Task 1 is suspended here.', 'Task 1 goes to the end of the queue.',
            'Task 1 has the turn.', 'The scheduler runs scheduler.hpp:4.', 'Task 1 runs line 3.',
            'The switch jumps to case yielded: task 1 continues where it was suspended.',
            'Task 1 prints “hello”.', 'Task 1 has reached its end.',
            'Task 1 has finished.', 'The loop of the scheduler ends.', 'Back in line 15.'])
        its = [event['delta']['task 1'] for event in turns.events if 'task 1' in event['delta']]
        self.assertEqual(its, [*([['Body', *delta, 1]] for delta in deltas), 'has finished'])
        self.assertEqual((turns.turn_list, turns.numbers_of_turns, turns.printed),
                         ([[0, 'main'], [2, 'task 1'], [9, 'task 1']], [0, 1, 2], 'hello\n'))
        self.assertEqual(list(runs.table(turns)), [
            (0, 'main', 'Task 1 is new.', '1', '', ''),
            (1, 'task 1', 'Task 1 sets state_ = yielded.', '1', '', 'Body: yielded'),
            (2, 'task 1', 'Task 1 prints “hello”. Task 1 has reached its '
             'end. Task 1 has finished. The loop of the scheduler ends.', '', '', 'has finished')])
        self.assertEqual(list(runs.table(turns, zh=True))[2], (
            2, '任务 1', '任务 1 打印“hello”。任务 1 走到了结尾。任务 1 已结束。调度器的循环结束。', '', '',
            '已结束'))

    def test_what_is_printed_piece_by_piece_belongs_to_the_end_of_the_line(self):
        out = {6: 'a', 7: 'b\n', 9: 'c'}
        turns = self.made([{**event, 'out': out.get(n, '')} for n, event in enumerate(RECORDING)])
        self.assertEqual([event['out'] for event in turns.events if event['out']], ['ab\n', 'c'])

    def test_the_ends_of_a_run(self):
        idle, ends = [loop(3, **YIELDED), loop(2, **YIELDED)], 'crash, stays, no end'
        for last, words, turns in (
                ([{'kind': 'crash', 'what': 'SIGILL'}],
                 'The program ends here, because it crashes (SIGILL).', 3),
                ([{'kind': 'goes on', 'what': 'in its last line'}],
                 'Here it stays: this turn does not end, so no other task has one.', 3),
                ([*250 * idle, {'kind': 'goes on'}],
                 'After 505 lines, this turn has not ended, so no other task has one.', 3),
                ([{'kind': 'goes on'}], '', 2)):
            made = self.made([*RECORDING[:11], *last[:-1], {'stack': [], **last[-1]}])
            self.assertEqual(len(made.turn_list), turns)
            self.assertEqual(' '.join(self.said(made, *ends.split(', '))), words)

    def test_a_poll_is_no_turn_and_says_whether_it_sleeps(self):
        turns = self.check(SERVED, 'waits, sleeps, network, woken',
                           'Task 1 waits until the socket “anna” is readable, but only until 9 s.',
                           'poll() sleeps until something happens, because no task is ready: '
                           'now it is 0.70 s.', 'The network: anna sends “on”.',
                           'Task 1 is woken: it goes to the end of the queue.')
        self.assertEqual(turns.numbers_of_turns, [0, 1, '', 2])
        # 0.1 s later, it has not slept.
        for queue, time, key in (([2], '50', 'looks'), ([], '50', 'asks'),
                                 ([2], '70', 'sleeps anyway')):
            soon = [{**event, 'queue': queue, 'net': event['net'].replace('70', time)}
                    if 'net' in event else event for event in SERVED]
            self.assertEqual(len(self.said(self.made(soon), key)), 1)
        now = turns.events[turns.turn_list[2][0]]['now']
        self.assertEqual(now['n'], [['anna', 5, [['fd', '5']], 'open']])
        self.assertEqual(says.tell(now['k']), '0.70 s: the sockets, and who waits for them in '
                         'poll(), task 1 until 9 s')

    def test_an_answer_an_exception_and_a_message_are_on_stage(self):
        mail = {'box': [['"a"', None], 0], 'b': [[], 1]}
        held = {'answers': {'1': '7'}, 'errors': {'1': 'no'}, 'mail': mail}
        turns = self.check([*RECORDING[:7], loop(2, **held, **YIELDED), *RECORDING[8:]],
                           'answer', 'Task 1 will get the answer 7.')
        now = next(event['now'] for event in turns.events if event['now']['a'])
        self.assertEqual([now[key] for key in 'apw'],
                         [{'1': '7'}, {'1': 'no'}, {'1': ['a message', 'b']}])
        self.assertEqual(says.tell(now['k']),
                         'waits for · mailboxes: box "a", (moved away), b is empty')

    def test_a_task_that_is_killed_in_the_queue_has_no_turn(self):
        two = {ident: [body('yielded', ident=ident)] for ident in '123'}
        held = {'waits': {'3': 'the end of task 1'}, 'tasks': {i: two[i] for i in '23'}}
        asks = ['lambda', 'program.cpp', 8, '']
        turns = self.check([
            *RECORDING[:7], loop(4, runs=2, queue=[1], **{**held, 'tasks': two}),
            loop(8, asks, runs=2, queue=[1], **{**held, 'tasks': two}),
            loop(9, asks, runs=2, queue=[1], **held), loop(3, queue=[1, 2], **held),
            loop(4, runs=1, queue=[2], **held), loop(3, queue=[2], **held), loop(4, runs=2, **held),
            inside(8, ident='2', runs=2, **held), loop(2, **held), END],
            'killed, not woken, dead, forever',
            'Task 1 is killed. Task 3 waits for the end of task 1, and is not woken.',
            'Task 1 is killed.',  # again, in the last line of this turn
            'Task 1 was killed: it gets no turn.', 'Task 3 will wait forever.')
        self.assertEqual(turns.skipped(len(turns.turn_list) - 1), [1])

    def test_a_call_and_a_return_change_who_is_innermost(self):
        turns = self.check([
            stop(14), loop(3, queue=[1], **ONE), in_task(3, **ONE), in_task(4, **BOTH),
            in_task(3, **BOTH), in_task(3, ['Inner::resume', 'program.cpp', 8, '3'], **BOTH),
            in_task(3, ['Inner::resume', 'program.cpp', 10, '3'], **BOTH, out='on\n'),
            in_task(4, **BOTH), in_task(3, **ONE), in_task(4, **ONE), in_task(3, tasks={'1': []}),
            loop(2), END], 'calls, prints, ends, returns, popped, ended',
            'Outer calls Inner, and is suspended until it returns.',
            'Inner prints “on”.', 'Inner has reached its end.',
            'Inner has finished: Outer is innermost.', 'Outer has finished: no coroutine is left.',
            'Task 1 has finished.', step='step06', task=TASK)
        self.assertEqual([n for n, _ in turns.data()['stack']][:2], [1002, 1003])

    def test_an_exception_goes_from_frame_to_frame(self):
        thrown, caught = {'kind': 'throw', 'what': 'no'}, {'kind': 'catch', 'by': 'Task::run'}
        self.check([
            stop(14), loop(3, queue=[1], **BOTH), in_task(3, **BOTH),
            in_task(3, ['Inner::resume', 'program.cpp', 8, '3'], **BOTH, **thrown),
            in_task(4, **BOTH, **caught), in_task(5, **ONE, **thrown),
            stop(15, kind='catch', by='main'), END], 'throws, escapes to, thrown into, thrown on',
            'An exception is thrown here: no',
            "Inner doesn't catch it, and is destroyed: next, it is thrown into Outer.",
            'The exception is thrown into Outer.',
            'No caller is left to catch it: the exception is thrown on.',
            step='step07', task=TASK)

    def test_a_body_of_the_compiler_is_resumed_at_its_index(self):
        def at(line, *bodies):
            place = [bodies[-1]['name'], 'program.cpp', line, bodies[-1]['id']]
            return in_task(3, place, tasks={'1': [*bodies]})
        start, outer = (body(index, 'outer', 'outer') for index in '24')
        first, inner = (body(index, 'inner', 'inner') for index in '24')
        turns = self.check(
            [stop(14), at(2, start), in_task(4, tasks={'1': [outer, first]}), at(5, outer, first),
             loop(2, queue=[1], tasks={'1': [outer, inner]}), at(6, outer, inner), at(3, outer),
             loop(2), END], 'begins, resumed, calls, suspended, ends',
            'outer begins. outer calls inner, and is suspended until it returns.',  # in its line
            'inner begins. inner is suspended here.',
            'inner is resumed, at resume index 4. inner has reached its end.',
            'outer is resumed, at resume index 4. outer has reached its end.',
            program=COMPILED, step='step08', task=TASK)
        self.assertEqual(turns.data()['states']['outer'],
                         ['2 → start', '4 → line 2', '6 → final_suspend()'])

    def test_an_exception_of_a_body_of_the_compiler_is_stored_in_its_promise(self):
        def at(line, **its):
            return in_task(3, ['outer', 'program.cpp', line, 'outer'], **held, **its)
        held = {'tasks': {'1': [body('4', 'outer', 'outer')]}}
        self.check([stop(14), at(2), at(2, kind='throw', what='no'),
                    at(3, kind='catch', by='outer'), in_task(4, **held), loop(2), END],
                   'throws, stored', 'An exception is thrown here: no',
                   "Task 1 doesn't catch it: unhandled_exception() stores it in the promise.",
                   program=COMPILED, step='step08', task=TASK)

    def test_a_body_that_an_exception_ends_in_its_next_turn_was_suspended(self):
        tasks = {'1': [body('yielded')], '2': [body(ident='2')]}
        self.check([*RECORDING[:7], loop(3, queue=[2, 1], tasks=tasks),
                    loop(4, runs=2, queue=[1], tasks=tasks), loop(3, queue=[1], **YIELDED),
                    in_task(3, **YIELDED), in_task(4, tasks={'1': []}), loop(2), END],
                   'suspended, ends', 'Task 1 is suspended here.', step='step07', task=TASK)

    def test_a_copy_stands_where_its_original_is_suspended(self):
        both = {'1': [body('yielded')], '2': [body('yielded', ident='2')]}
        turns = self.check([*RECORDING[:7], loop(4, runs=1, **YIELDED),
                            loop(3, queue=[2, 1], tasks=both), END],
                           'copied', 'Task 2 is new, a copy.')
        copies = [event['delta']['d'] for event in turns.events if 'd' in event['delta']]
        self.assertEqual(copies, [{2: [0, 6]}])

    def test_questions_are_answered_by_the_recording(self):
        turns = self.made(SERVED)
        asked = {its[0][0]: its[1] for t in (2, 3) for its in turns.possible(t)}
        self.assertEqual(asked['poll wakes'], [[['1']], ['none']])
        self.assertEqual(asked['prints first'], ['hello', ['nothing']])
        self.assertEqual(asked['queue after'][0], ['nothing'])
        questions = turns.questions()
        self.assertEqual(sum(map(bool, questions)), 3)
        for t, question in enumerate(questions):
            answers = {words[0]: choices[0] for words, choices, _ in turns.possible(t or 1)}
            if question:
                self.assertEqual(question[1][question[2]], answers[question[0][0]])

    def test_the_next_turn_is_decided_where_the_loop_takes_a_task(self):
        two = {'tasks': {'1': [body('yielded')], '2': [body(ident='2')]}}
        turns = self.made([
            *RECORDING[:7], loop(3, queue=[2, 1], **two), loop(4, runs=2, **two),
            *(inside(line, ident='2', runs=2, out='on\n', **two) for line in (3, 8)), END])
        decides = next(its[2] for its in turns.possible(2) if its[0] == ['whose'])
        self.assertEqual([event['stack'][-1][2] for event in turns.events if decides(event)], [3])


class Words(unittest.TestCase):
    def test_a_sentence_begins_and_ends_as_one(self):
        said = [['prints', 'task 1', '---'], ['decides', ['line', 17]], ['awaited by', 'task']]
        self.assertEqual(says.sentences(said),
                         'Task 1 prints “---”. Line 17 decides task waits for it')

    def test_chinese_words_have_no_gaps(self):
        self.assertEqual(says.tell(['reports', ['sched'], 'x'], True)[:6], '调度器报告：')

    def test_few_sentences_say_the_same_in_two_languages(self):
        self.assertLessEqual(says.TABLES[0].count('\n'), 60)
        keys = [line.split('\t')[0] for line in ''.join(says.TABLES).splitlines()]
        self.assertEqual(len(set(keys)), len(keys))
        for key, (english, chinese) in says.WORDS.items():
            marks = [set(re.findall(r'{\d}|`[^`]*`', text)) for text in (english, chinese)]
            self.assertEqual(*marks, key)
